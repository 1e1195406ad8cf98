import { sha256 } from '@noble/hashes/sha2.js'
import { base58, base64, bech32, bech32m, createBase58check } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBase58, toBase58Check } from './base58.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { fromBech32, toBech32 } from './bech32.ts'
import { concat } from './concat.ts'

/** Bytes of any length, many with zeros in front. */
const anyBytes = fc
  .tuple(fc.nat({ max: 3 }), fc.uint8Array({ maxLength: 70 }))
  .map(([zeros, rest]) => concat(new Uint8Array(zeros), rest))

describe('@scure/base as the oracle', () => {
  test('base58 and base58check', () => {
    fc.assert(
      fc.property(anyBytes, fc.nat({ max: 255 }), (bytes, version) => {
        expect(toBase58(bytes)).toBe(base58.encode(bytes))
        const versioned = concat(Uint8Array.of(version), bytes)
        expect(toBase58Check(version, bytes)).toBe(createBase58check(sha256).encode(versioned))
      }),
      { numRuns: 300 },
    )
  })

  test('base64, and only its canonical spelling is read', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ABab01+/=- \n'), maxLength: 12 })
    fc.assert(
      fc.property(anyBytes, text, (bytes, typed) => {
        expect(toBase64(bytes)).toBe(base64.encode(bytes))
        expect(fromBase64(toBase64(bytes))).toEqual(bytes)
        expect(fromBase64(typed)).toEqual(scureBytes(typed))
      }),
      { numRuns: 500 },
    )
  })

  test('bech32 and bech32m', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('bc', 'tb', 'cosmos', 'osmovaloper'),
        fc.uint8Array({ maxLength: 40 }),
        (prefix, bytes) => {
          const text = toBech32(prefix, bytes)
          expect(text).toBe(bech32.encode(prefix, bech32.toWords(bytes)))
          expect(fromBech32(prefix, text)).toEqual(bytes)
          expect(toBech32(prefix, bytes, [1], 'bech32m')).toBe(
            bech32m.encode(prefix, [1, ...bech32m.toWords(bytes)]),
          )
        },
      ),
      { numRuns: 200 },
    )
  })

  test('a bech32 text with a character changed, cut, added, in upper case, of another prefix or form is not read', () => {
    const bytes = sha256(new Uint8Array(1)).subarray(0, 20)
    const text = toBech32('cosmos', bytes)
    fc.assert(
      fc.property(
        fc.nat({ max: text.length - 1 }),
        fc.string({ minLength: 1, maxLength: 1 }),
        (at, character) => {
          fc.pre(text[at] !== character)
          for (const wrong of [
            text.slice(0, at) + character + text.slice(at + 1),
            text.slice(0, at) + character + text.slice(at),
          ])
            expect(fromBech32('cosmos', wrong)).toBeUndefined()
          expect(fromBech32('cosmos', text.slice(0, at))).toBeUndefined()
        },
      ),
    )
    expect(fromBech32('cosmos', text.toUpperCase())).toBeUndefined()
    expect(fromBech32('osmo', text)).toBeUndefined()
    expect(fromBech32('cosmos', toBech32('cosmos', bytes, [], 'bech32m'))).toBeUndefined()
    expect(fromBech32('cosmos', '')).toBeUndefined()
  })

  test('a bech32 text whose last bits are not zero, under a right checksum, is not read', () => {
    // 32 bytes leave four bits of the last group over.
    const words = bech32.toWords(sha256(new Uint8Array(2)))
    words[words.length - 1] = (words.at(-1) ?? 0) | 1
    expect(fromBech32('cosmos', bech32.encode('cosmos', words))).toBeUndefined()
  })
})

function scureBytes(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text)
  } catch {
    return undefined
  }
}
