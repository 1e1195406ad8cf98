import { type Chain, chainsOf } from '../chain.ts'

/** The chains of Tron, the production network first. */
export const tronChains: readonly Chain[] = chainsOf(
  {
    network: 'tron',
    curve: 'secp256k1',
    nativeAsset: { symbol: 'TRX', decimals: 6 },
    feeCeiling: 50_000_000n,
  },
  [
    { handle: 'tron', chainId: 728_126_428, caip2: 'tron:0x2b6653dc' },
    {
      handle: 'tron-nile',
      isTest: true,
      chainId: 3_448_148_188,
      caip2: 'tron:0xcd8690dc',
    },
  ],
)
