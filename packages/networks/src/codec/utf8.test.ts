import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeUtf8, encodeUtf8 } from './utf8.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

test('bytes decode exactly where a strict decoder accepts them, to the same text', () => {
  const some = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc
      .string({ unit: 'binary', maxLength: 6 })
      .filter((text) => text.isWellFormed())
      .map((text) => new TextEncoder().encode(text)),
    fc
      .constantFrom([0xef, 0xbf, 0xbd], [0xef, 0xbb, 0xbf, 0x41], [0xed, 0xa0, 0x80], [0xc0, 0x80])
      .map((list) => Uint8Array.from(list)),
  )
  fc.assert(
    fc.property(some, (bytes) => {
      let expected: string | undefined
      try {
        expected = strict.decode(bytes)
      } catch {
        expected = undefined
      }
      expect(decodeUtf8(bytes)).toBe(expected)
    }),
    { numRuns: 3_000 },
  )
})

test('a lone surrogate has no encoding', () => {
  expect(() => encodeUtf8('a\ud800')).toThrow('lone surrogate')
})
