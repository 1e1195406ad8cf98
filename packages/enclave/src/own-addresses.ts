import type { Network } from '@symbolon/networks'

/** The addresses of keys and of further accounts of theirs, as their networks derive them. */
export type OwnAddresses = (network: Network, publicKey: Uint8Array) => Readonly<Record<string, string>>

/** As many wallets as sign within moments of each other, on a network each. */
const entriesMax = 4096

/**
 * Derives the addresses of a key and keeps those of the last 4,096, since a point of a curve costs more than all the rest of a
 * decision; a wallet that signs often signs again. What is kept is public and a function of the key alone.
 */
export function ownAddresses(): OwnAddresses {
  const kept = new Map<string, Readonly<Record<string, string>>>()
  return (network, publicKey) => {
    const name = `${network.name} ${Buffer.from(publicKey).toString('latin1')}`
    const known = kept.get(name)
    if (known !== undefined) return known
    if (kept.size === entriesMax) kept.clear()
    const addresses = network.addresses(publicKey)
    const own = { ...addresses, ...network.policy?.ownAccounts?.(addresses) }
    kept.set(name, own)
    return own
  }
}
