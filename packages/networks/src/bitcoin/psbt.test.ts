import { propertyRuns } from '@symbolon/testing/properties'
import { expect, test } from 'vitest'
import { psbtRounds } from './psbt-rounds.fuzz.ts'

test('random and mutated PSBTs are refused with the typed error or read, written back and assembled', () => {
  expect(psbtRounds(propertyRuns(2_000), 7)).toBeGreaterThan(5)
})
