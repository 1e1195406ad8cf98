import { type Chain, chainsOf } from '../chain.ts'

/** The chains of Cosmos, the production network first. */
export const cosmosChains: readonly Chain[] = chainsOf(
  {
    network: 'cosmos',
    curve: 'secp256k1',
    addressName: 'cosmos',
    nativeAsset: { symbol: 'ATOM', decimals: 6 },
  },
  [
    { handle: 'cosmoshub', label: 'Cosmos Hub', chainId: 'cosmoshub-4', caip2: 'cosmos:cosmoshub-4' },
    {
      handle: 'osmosis',
      label: 'Osmosis',
      chainId: 'osmosis-1',
      caip2: 'cosmos:osmosis-1',
      addressName: 'osmosis',
      nativeAsset: { symbol: 'OSMO', decimals: 6 },
    },
  ],
)
