/** The curve of a wallet's key. */
export type Curve = 'secp256k1' | 'ed25519'

/**
 * One chain of a network. `label` is what people call it; `isTest` marks a chain whose assets are worth nothing.
 * `addressName` is the key of this chain's address in a wallet's `addresses`; `chainId` is the id inside
 * the chain's own transactions, `null` where there is none; `caip2` follows the CASA namespaces. `feeCeiling` (smallest unit) is the most
 * that one transaction of an agent may pay as its fee where no policy says.
 */
export type Chain = {
  readonly handle: string
  readonly label: string
  readonly isTest?: true
  readonly network: string
  readonly curve: Curve
  readonly chainId: number | string | null
  readonly caip2: string
  readonly addressName: string
  readonly nativeAsset: { readonly symbol: string; readonly decimals: number }
  readonly feeCeiling: bigint
}

/**
 * The chains of one network: `alike` is what they have in common, each row what is its own. By default, the label is the handle in words,
 * the address is named like the network, `caip2` is the network with the chain's id, and `feeCeiling` is 5 % of a unit.
 */
export function chainsOf(
  alike: Pick<Chain, 'network' | 'curve' | 'nativeAsset'> & Partial<Chain>,
  rows: readonly (Pick<Chain, 'handle'> & Partial<Chain>)[],
): readonly Chain[] {
  const { network } = alike
  return rows.map((row) => ({
    label: row.handle.replace(/(^|-)(.)/g, (_, gap, letter) => (gap && ' ') + letter.toUpperCase()),
    chainId: null,
    caip2: `${network}:${row.chainId}`,
    addressName: network,
    feeCeiling: 10n ** BigInt((row.nativeAsset ?? alike.nativeAsset).decimals) / 20n,
    ...alike,
    ...row,
  }))
}

/** The chain that a message without `chain` is signed for: `ethereum` or `solana` by curve. */
export function defaultChain(curve: Curve): string {
  return curve === 'secp256k1' ? 'ethereum' : 'solana'
}
