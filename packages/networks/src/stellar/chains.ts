import { type Chain, chainsOf } from '../chain.ts'

/** The chains of Stellar, the production network first. */
export const stellarChains: readonly Chain[] = chainsOf(
  {
    network: 'stellar',
    curve: 'ed25519',
    addressName: 'stellar',
    nativeAsset: { symbol: 'XLM', decimals: 7 },
  },
  [
    { handle: 'stellar', label: 'Stellar', chainId: 'pubnet', caip2: 'stellar:pubnet' },
    {
      handle: 'stellar-testnet',
      label: 'Stellar Testnet',
      isTest: true,
      chainId: 'testnet',
      caip2: 'stellar:testnet',
    },
  ],
)
