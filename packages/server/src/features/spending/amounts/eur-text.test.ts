import { Eur } from '@symbolon/api'
import { expect, test } from 'vitest'
import { eurText } from './eur-text.ts'

test.each([
  [0n, '0.000000'],
  [1n, '0.000001'],
  [999_999n, '0.999999'],
  [1_000_000n, '1.000000'],
  [10_000_000n, '10.000000'],
  [12_345_678_901n, '12345.678901'],
])('%s micro-euros are %s EUR, as the schema has it', (micro, text) => {
  expect(eurText(micro)).toBe(text)
  expect(Eur.safeParse(text).success).toBe(true)
})
