import { addressText } from './address-text.ts'
import { fact } from './confirm-actions.ts'
import type { NamedAddress } from './dialogs.ts'
import { element } from './element.ts'

const names: Readonly<Record<string, string>> = {
  evm: 'Ethereum and EVM chains',
  bitcoin: 'Bitcoin',
  bitcoin_taproot: 'Bitcoin Taproot',
  bitcoin_testnet: 'Bitcoin Testnet',
  tron: 'Tron',
  cosmos: 'Cosmos Hub',
  osmosis: 'Osmosis',
  solana: 'Solana',
  near: 'Near',
  aptos: 'Aptos',
  stellar: 'Stellar',
}

/** Addresses of one wallet, each in full with the name of its network. */
export function addressList(addresses: readonly NamedAddress[]): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    ...addresses.map(({ label, address }) => fact(names[label] ?? label, addressText(address))),
  )
}
