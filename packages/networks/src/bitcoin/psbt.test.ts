import { expect, test } from 'vitest'
import { psbtRounds } from './psbt-rounds.fuzz.ts'

test('random and mutated PSBTs are refused with the typed error or read, written back and assembled', () => {
  expect(psbtRounds(500, 7)).toBeGreaterThan(5)
})
