import { addressLabel, networks } from '@symbolon/networks/browser'
import { addressText } from './address-text.ts'
import { fact } from './confirm-actions.ts'
import type { NamedAddress } from './dialogs.ts'
import { element } from './element.ts'

/** Addresses of one wallet, each in full with the name of its network. */
export function addressList(addresses: readonly NamedAddress[]): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    ...addresses.map(({ label, address }) => fact(addressLabel(networks, label), addressText(address))),
  )
}
