import { ed25519 } from '@noble/curves/ed25519.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { taprootOutputKey } from '../bitcoin/output-keys.ts'
import { toHex } from '../codec/hex.ts'
import { bytesToQuantity, quantityToWord } from '../codec/quantity.ts'
import { xOfSum } from './add-multiple.ts'
import { isEd25519Key, isEd25519Point } from './ed25519-key.ts'
import { modularPower } from './modular-power.ts'
import { compressedBytes, coordinates, fieldPrime, secp256k1Point } from './secp256k1-point.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const order = secp256k1.Point.CURVE().n
const scalar = fc.bigInt({ min: 1n, max: order - 1n })
/** What noble, audited and independent of this code, makes of bytes. */
const nobleBytes = (encoded: Uint8Array) =>
  orUndefined(() => secp256k1.Point.fromBytes(encoded).toBytes(false))

describe('secp256k1', () => {
  test('any 33 bytes are the point that noble reads, or none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), bytes(32), (form, x) => {
        const encoded = Uint8Array.of(form, ...x)
        const point = secp256k1Point(encoded)
        expect(point && coordinates(point)).toEqual(nobleBytes(encoded)?.slice(1))
        if (point) expect(compressedBytes(point)).toEqual(encoded)
      }),
      { numRuns: 400 },
    )
  })

  test('65 bytes are a point only on the curve', () => {
    fc.assert(
      fc.property(scalar, fc.nat({ max: 64 }), fc.nat({ max: 255 }), (secret, at, byte) => {
        const encoded = secp256k1.Point.BASE.multiply(secret).toBytes(false)
        expect(secp256k1Point(encoded)).toEqual(pointOf(secret))
        encoded[at] = byte
        const point = secp256k1Point(encoded)
        expect(point && coordinates(point)).toEqual(nobleBytes(encoded)?.slice(1))
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['x is the prime', Uint8Array.of(2, ...quantityToWord(fieldPrime))],
    [
      'x is one above the prime, where the curve has a point at 1',
      Uint8Array.of(2, ...quantityToWord(fieldPrime + 1n)),
    ],
    ['y is one of the curve plus the prime', withLargeY()],
    ['one byte, infinity of SEC 1', Uint8Array.of(0)],
    ['nothing', new Uint8Array(0)],
    ['a hybrid form', Uint8Array.of(6, ...coordinates({ x: 1n, y: 1n }))],
  ])('no point: %s', (_, encoded) => {
    expect(secp256k1Point(encoded)).toBeUndefined()
    expect(nobleBytes(encoded)).toBeUndefined()
  })

  test('the sum of a point and a multiple of the generator is that of noble, at the edges too', () => {
    const edges = [0n, 1n, 2n, 2n ** 32n, 2n ** 224n + 1n, order - 1n, order, order + 1n, 2n ** 256n - 1n]
    const multiple = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(1n, 2n, order - 1n), scalar), multiple, (secret, factor) => {
        const sum = (secret + factor) % order
        const expected = sum === 0n ? undefined : secp256k1.Point.BASE.multiply(sum).toAffine().x
        expect(xOfSum(pointOf(secret), factor)).toBe(expected)
      }),
      { numRuns: 200 },
    )
  })

  test('the taproot key of a key is that of noble, whichever parity it has', () => {
    fc.assert(
      fc.property(scalar, (secret) => {
        const publicKey = secp256k1.getPublicKey(quantityToWord(secret))
        const x = publicKey.subarray(1)
        const tweak = bytesToQuantity(schnorr.utils.taggedHash('TapTweak', x))
        const even = schnorr.utils.lift_x(bytesToQuantity(x))
        expect(toHex(taprootOutputKey(publicKey))).toBe(
          toHex(
            even
              .add(secp256k1.Point.BASE.multiply(tweak % order))
              .toBytes()
              .subarray(1),
          ),
        )
      }),
      { numRuns: 60 },
    )
  })
})

describe('ed25519', () => {
  test('any 32 bytes are a key where noble reads a point that is not of small order', () => {
    fc.assert(
      fc.property(bytes(32), (encoded) => {
        expect(isEd25519Key(encoded)).toBe(isNobleKey(encoded))
        expect(isEd25519Point(encoded)).toBe(isNoblePoint(encoded))
      }),
      { numRuns: 400 },
    )
  })

  test('every point of small order is refused, in every spelling, and points near it are treated as noble treats them', () => {
    const prime = 2n ** 255n - 19n
    const torsion = ed25519.Point.fromHex(
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
      true,
    )
    for (let times = 1n; times <= 8n; times++) {
      const encoded = times === 8n ? ed25519.Point.ZERO.toBytes() : torsion.multiplyUnsafe(times).toBytes()
      for (const sign of [0, 0x80]) {
        const spelled = Uint8Array.from(encoded, (byte, index) => (index === 31 ? byte ^ sign : byte))
        expect(isEd25519Key(spelled)).toBe(false)
      }
    }
    const values = [
      0n,
      1n,
      2n,
      3n,
      4n,
      prime - 2n,
      prime - 1n,
      prime,
      prime + 1n,
      prime + 3n,
      2n ** 255n - 1n,
    ]
    for (const value of values) {
      for (const sign of [0n, 2n ** 255n]) {
        const encoded = quantityToWord(value + sign).toReversed()
        expect(isEd25519Key(encoded), toHex(encoded)).toBe(isNobleKey(encoded))
        expect(isEd25519Point(encoded), toHex(encoded)).toBe(isNoblePoint(encoded))
      }
    }
  })

  test('another length is refused', () => {
    for (const length of [0, 31, 33, 64]) expect(isEd25519Key(new Uint8Array(length).fill(2))).toBe(false)
  })
})

function pointOf(secret: bigint) {
  return secp256k1.Point.BASE.multiply(secret).toAffine()
}

/** A point whose y, being small, has a second spelling of 32 bytes: plus the prime. The prime is 7 modulo 9. */
function withLargeY(): Uint8Array {
  for (let y = 1n; ; y++) {
    const cube = (y * y + fieldPrime - 7n) % fieldPrime
    const x = modularPower(cube, (fieldPrime + 2n) / 9n, fieldPrime)
    if (x ** 3n % fieldPrime !== cube) continue
    expect(secp256k1Point(Uint8Array.of(4, ...coordinates({ x, y })))).toEqual({ x, y })
    return Uint8Array.of(4, ...coordinates({ x, y: y + fieldPrime }))
  }
}

function isNobleKey(encoded: Uint8Array): boolean {
  return orUndefined(() => !ed25519.Point.fromBytes(encoded).isSmallOrder()) ?? false
}

/** As ZIP 215 reads points, which is how curve25519-dalek does. */
function isNoblePoint(encoded: Uint8Array): boolean {
  return orUndefined(() => ed25519.Point.fromBytes(encoded, true)) !== undefined
}

function orUndefined<value>(read: () => value): value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
