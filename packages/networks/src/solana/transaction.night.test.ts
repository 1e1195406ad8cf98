import { test } from 'vitest'
import { solanaRounds } from './solana-rounds.fuzz.ts'

test('100,000 mutated transactions are refused with NetworkError or written again by kit', () => {
  solanaRounds(100_000)
}, 600_000)
