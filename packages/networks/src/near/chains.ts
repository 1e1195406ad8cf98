import { type Chain, chainsOf } from '../chain.ts'

/** The chains of Near, the production network first. */
export const nearChains: readonly Chain[] = chainsOf(
  {
    network: 'near',
    curve: 'ed25519',
    addressName: 'near',
    nativeAsset: { symbol: 'NEAR', decimals: 24 },
  },
  [
    { handle: 'near', label: 'Near', chainId: 'mainnet', caip2: 'near:mainnet' },
    {
      handle: 'near-testnet',
      label: 'Near Testnet',
      isTest: true,
      chainId: 'testnet',
      caip2: 'near:testnet',
    },
  ],
)
