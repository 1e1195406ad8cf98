import { expect, test } from 'vitest'
import { runMix } from './conservation/run-mix.ts'

test('a random mix of operations is charged exactly what the paymaster paid, to the wei, on every chain', async () => {
  const { operations, ends } = await runMix({ seed: 20_261_120, operationsMin: 40 })
  expect(operations).toBeGreaterThanOrEqual(40)
  expect(Object.keys(ends).sort()).toEqual(['confirmed', 'expired', 'failed', 'rejected', 'replaced'])
}, 120_000)
