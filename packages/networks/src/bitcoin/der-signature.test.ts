import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toHex } from '../codec/hex.ts'
import { derSignature } from './der-signature.ts'

/** A word whose first bytes sit around the places where DER adds or cuts a byte. */
const word = fc
  .tuple(
    fc.constantFrom([], [0], [0, 0], [0, 0x7f], [0, 0x80], [0x7f], [0x80], [0xfe]),
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
  )
  .map(([start, rest]) => Uint8Array.of(...start, ...rest).slice(0, 32))
  .filter((bytes) => bytes.some((byte) => byte !== 0) && (bytes[0] ?? 0) < 0xff)

test('a signature has the DER form of noble, whatever its leading bytes', () => {
  fc.assert(
    fc.property(word, word, (r, s) => {
      const compact = Uint8Array.of(...r, ...s)
      expect(toHex(derSignature(compact))).toBe(toHex(secp256k1.Signature.fromBytes(compact).toBytes('der')))
    }),
    { numRuns: 500 },
  )
})
