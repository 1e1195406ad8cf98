import { base58 } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf } from './address-of.ts'

test('an address is the base58 of its key, with and without leading zeros', () => {
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const padded = fc
    .tuple(key, fc.integer({ min: 0, max: 32 }))
    .map(([bytes, zeros]) => bytes.fill(0, 0, zeros))
  fc.assert(
    fc.property(fc.oneof(key, padded), (bytes) => {
      expect(addressOf(bytes)).toBe(base58.encode(bytes))
    }),
    { numRuns: 2000 },
  )
  expect(addressOf(new Uint8Array(32))).toBe('11111111111111111111111111111111')
  expect(addressOf(new Uint8Array(32).fill(255))).toBe(base58.encode(new Uint8Array(32).fill(255)))
})
