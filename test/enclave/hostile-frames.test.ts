import { expect, test } from 'vitest'
import { fuzzEnclave } from './enclave-fuzz-run.ts'

test('2,000 hostile connections leave the enclave up and a good connection undisturbed', async () => {
  const result = await fuzzEnclave(2_000)
  expect(result.pidAfter).toBe(result.pidBefore)
  expect(result.insidersLeftOpen).toBe(0)
  expect(result.goodSignatures).toBeGreaterThan(50)
  expect(result.badAnswers).toBe(0)
})
