import { expect, test } from 'vitest'
import { fuzzEnclave } from './enclave-fuzz-run.ts'

test('100,000 hostile connections leave the enclave up and a good connection undisturbed', async () => {
  const result = await fuzzEnclave(100_000)
  expect(result.pidAfter).toBe(result.pidBefore)
  expect(result.insidersLeftOpen).toBe(0)
  expect(result.badAnswers).toBe(0)
  expect(result.residentGrowthBytes).toBeLessThan(64 << 20)
})
