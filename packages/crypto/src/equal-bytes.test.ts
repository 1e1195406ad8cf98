import fc from 'fast-check'
import { expect, test } from 'vitest'
import { equalBytes } from './equal-bytes.ts'
import { wipe } from './wipe.ts'

test('bytes are equal exactly when every byte and the length are', () => {
  const pair = fc.tuple(fc.uint8Array({ maxLength: 4, max: 2 }), fc.uint8Array({ maxLength: 4, max: 2 }))
  fc.assert(fc.property(pair, ([a, b]) => equalBytes(a, b) === (Buffer.compare(a, b) === 0)))
  expect(equalBytes(Uint8Array.of(1, 0), Uint8Array.of(1))).toBe(false)
  expect(equalBytes(Uint8Array.of(0x80), Uint8Array.of(0))).toBe(false)
})

test('wiping zeroes every array it is given', () => {
  const arrays = [Uint8Array.of(1, 2), Uint8Array.of(3)]
  wipe(...arrays)
  expect(arrays).toEqual([new Uint8Array(2), new Uint8Array(1)])
})
