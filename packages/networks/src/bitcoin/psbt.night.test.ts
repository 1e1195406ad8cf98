import { expect, test } from 'vitest'
import { psbtRounds } from './psbt-rounds.fuzz.ts'

test('100,000 random and mutated PSBTs are refused with the typed error or read, written back and assembled', () => {
  expect(psbtRounds(100_000, Date.now() % 2 ** 31)).toBeGreaterThan(1_000)
}, 600_000)
