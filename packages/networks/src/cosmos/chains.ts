import { type Chain, chainsOf } from '../chain.ts'

/** The chains of Cosmos, the production network first. */
export const cosmosChains: readonly Chain[] = chainsOf(
  {
    network: 'cosmos',
    curve: 'secp256k1',
    nativeAsset: { symbol: 'ATOM', decimals: 6 },
    feeCeiling: 1_000_000n,
  },
  [
    { handle: 'cosmoshub', label: 'Cosmos Hub', chainId: 'cosmoshub-4' },
    {
      handle: 'osmosis',
      chainId: 'osmosis-1',
      addressName: 'osmosis',
      nativeAsset: { symbol: 'OSMO', decimals: 6 },
    },
  ],
)
