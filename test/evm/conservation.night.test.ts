import { expect, test } from 'vitest'
import { runMix } from './conservation/run-mix.ts'

test.each([1, 2, 3, Date.now() % 1_000_000])(
  'the charges for 150 operations of the random mix %i equal what the paymaster paid, to the wei, on every chain',
  async (seed) => {
    const { operations, ends } = await runMix({ seed, operationsMin: 150 })
    expect(operations).toBeGreaterThanOrEqual(150)
    expect(Object.keys(ends).sort()).toEqual(['confirmed', 'expired', 'failed', 'rejected', 'replaced'])
  },
)
