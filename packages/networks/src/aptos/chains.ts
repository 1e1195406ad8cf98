import { type Chain, chainsOf } from '../chain.ts'

/** The chains of Aptos, the production network first. */
export const aptosChains: readonly Chain[] = chainsOf(
  {
    network: 'aptos',
    curve: 'ed25519',
    addressName: 'aptos',
    nativeAsset: { symbol: 'APT', decimals: 8 },
  },
  [
    { handle: 'aptos', label: 'Aptos', chainId: 1, caip2: 'aptos:1' },
    { handle: 'aptos-testnet', label: 'Aptos Testnet', isTest: true, chainId: 2, caip2: 'aptos:2' },
  ],
)
