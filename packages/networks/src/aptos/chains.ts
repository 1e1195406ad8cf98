import { type Chain, chainsOf } from '../chain.ts'

/** The chains of Aptos, the production network first. */
export const aptosChains: readonly Chain[] = chainsOf(
  {
    network: 'aptos',
    curve: 'ed25519',
    nativeAsset: { symbol: 'APT', decimals: 8 },
    feeCeiling: 100_000_000n,
  },
  [
    { handle: 'aptos', chainId: 1 },
    { handle: 'aptos-testnet', isTest: true, chainId: 2 },
  ],
)
