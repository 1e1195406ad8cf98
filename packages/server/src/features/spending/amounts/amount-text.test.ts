import { expect, test } from 'vitest'
import { amountText } from './amount-text.ts'

test.each([
  [0n, 18, '0'],
  [1n, 18, '0.000000000000000001'],
  [250_000_000_000_000_000n, 18, '0.25'],
  [12_000_000_000_000_000_000n, 18, '12'],
  [1_000_001n, 6, '1.000001'],
  [70n, 0, '70'],
])('%d of %d decimals reads %s, exactly', (smallest, decimals, text) => {
  expect(amountText(smallest, decimals)).toBe(text)
})
