import { type Chain, chainsOf } from '../chain.ts'

/** The chains of Solana, the production network first. */
export const solanaChains: readonly Chain[] = chainsOf(
  {
    network: 'solana',
    curve: 'ed25519',
    nativeAsset: { symbol: 'SOL', decimals: 9 },
  },
  [
    { handle: 'solana', caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
    {
      handle: 'solana-devnet',
      isTest: true,
      caip2: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    },
  ],
)
