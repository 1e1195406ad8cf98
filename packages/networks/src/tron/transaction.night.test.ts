import { test } from 'vitest'
import { tronRounds } from './tron-rounds.fuzz.ts'

test('100,000 mutated transactions are refused with NetworkError or read as tronweb does', () => {
  tronRounds(100_000)
}, 600_000)
