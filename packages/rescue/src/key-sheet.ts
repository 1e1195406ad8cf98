import { type Curve, networks } from '@symbolon/networks/browser'
import { formatPrivateKey } from '@symbolon/networks/private-key'
import type { RebuiltKey } from './rebuild-key.ts'

/** One network of a rebuilt key: what its wallets import, and the addresses they must then show. */
export type KeySheetEntry = {
  readonly network: string
  readonly label: string
  readonly privateKey: string
  /** By their names in the HTTP API. */
  readonly addresses: Readonly<Record<string, string>>
}

/** All that a person needs to move a wallet elsewhere. `warning` is what must be read first, or null. */
export type KeySheet = {
  readonly curve: Curve
  /** 0x hex, compressed. */
  readonly publicKey: string
  readonly warning: string | null
  readonly networks: readonly KeySheetEntry[]
}

/** Said of a key that neither a public key nor an address proves. */
export const unprovenWarning =
  'Nothing proves this key: neither share names its wallet. If the shares do not belong together, this key is for no ' +
  'wallet. Compare the addresses below with those of your wallet before you rely on it.'

/** Writes a rebuilt key in every network's form. The texts are strings, which nobody can wipe. */
export function keySheet({ curve, key, publicKey, addresses, checkedBy }: RebuiltKey): KeySheet {
  return {
    curve,
    publicKey: `0x${Array.from(publicKey, (byte) => byte.toString(16).padStart(2, '0')).join('')}`,
    warning: checkedBy === 'nothing' ? unprovenWarning : null,
    networks: formatPrivateKey(networks, curve, key).map(({ network, label, text }) => ({
      network,
      label,
      privateKey: text,
      addresses: ownAddresses(network, publicKey, addresses),
    })),
  }
}

/** Those of a wallet's addresses that are a network's. */
function ownAddresses(
  name: string,
  publicKey: Uint8Array,
  addresses: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = Object.keys(networks.byName(name)?.addresses(publicKey) ?? {})
  return Object.fromEntries(Object.entries(addresses).filter(([each]) => names.includes(each)))
}
