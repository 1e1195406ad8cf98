import { type Chain, chainsOf } from '../chain.ts'

/** The chains of Near, the production network first. */
export const nearChains: readonly Chain[] = chainsOf(
  {
    network: 'near',
    curve: 'ed25519',
    nativeAsset: { symbol: 'NEAR', decimals: 24 },
    feeCeiling: 10n ** 24n,
  },
  [
    { handle: 'near', chainId: 'mainnet' },
    {
      handle: 'near-testnet',
      isTest: true,
      chainId: 'testnet',
    },
  ],
)
