import { expect, test } from 'vitest'
import { psbtRounds } from './psbt-rounds.fuzz.ts'

test('2,000 random and mutated PSBTs are refused with the typed error or read, written back and assembled', () => {
  expect(psbtRounds(2_000, 7)).toBeGreaterThan(20)
})
