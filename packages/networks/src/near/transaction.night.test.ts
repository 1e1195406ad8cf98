import { test } from 'vitest'
import { nearRounds } from './near-rounds.fuzz.ts'

test('100,000 mutated transactions are refused with NetworkError or read as near-js does', () => {
  nearRounds(100_000)
}, 600_000)
