import fc from 'fast-check'
import { expect, test } from 'vitest'
import { microEur } from './sponsorship.ts'

test('a cost in micro-EUR is rounded up: never below the cost, and by less than one', () => {
  expect(microEur(10n ** 18n, 3_000n * 10n ** 8n)).toBe(3_000n * 10n ** 6n)
  expect(microEur(1n, 1n)).toBe(1n)
  expect(microEur(0n, 3_000n * 10n ** 8n)).toBe(0n)
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 128n }),
      fc.bigInt({ min: 0n, max: 2n ** 64n }),
      (wei, eurE8) => {
        const scaled = microEur(wei, eurE8) * 10n ** 20n
        return scaled >= wei * eurE8 && scaled - wei * eurE8 < 10n ** 20n
      },
    ),
  )
})
