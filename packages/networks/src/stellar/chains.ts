import { type Chain, chainsOf } from '../chain.ts'

/** The chains of Stellar, the production network first. */
export const stellarChains: readonly Chain[] = chainsOf(
  {
    network: 'stellar',
    curve: 'ed25519',
    nativeAsset: { symbol: 'XLM', decimals: 7 },
    feeCeiling: 50_000_000n,
  },
  [
    { handle: 'stellar', chainId: 'pubnet' },
    {
      handle: 'stellar-testnet',
      isTest: true,
      chainId: 'testnet',
    },
  ],
)
