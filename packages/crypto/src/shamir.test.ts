import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { combine, split } from 'shamir-secret-sharing'
import { expect, test } from 'vitest'
import { combineShares, ShareError, splitSecret } from './shamir.ts'

const random = (length: number) => Uint8Array.from(randomBytes(length))
const secretBytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
const indexPair = fc.uniqueArray(fc.integer({ min: 1, max: 255 }), { minLength: 2, maxLength: 5 })
const combined = (a: Uint8Array, b: Uint8Array) => {
  const out = new Uint8Array(32)
  combineShares(a, b, out)
  return out
}
const at = (shares: Uint8Array[], position: number) => shares[position] ?? new Uint8Array()

test('any two shares, in any order, give the secret back', () => {
  fc.assert(
    fc.property(secretBytes, indexPair, (secret, indexes) => {
      const shares = splitSecret(secret, indexes, random)
      expect(shares.map((share) => share[32])).toEqual(indexes)
      for (const a of shares) for (const b of shares) if (a !== b) expect(combined(a, b)).toEqual(secret)
    }),
  )
})

test('the audited library combines our shares', async () => {
  for (let round = 0; round < 200; round++) {
    const secret = random(32)
    const [x, y] = [1 + (round % 255), 1 + ((round * 7 + 3) % 255)]
    if (x === y) continue
    expect(await combine(splitSecret(secret, [x, y], random))).toEqual(secret)
  }
})

test('we combine the shares of the audited library', async () => {
  for (let round = 0; round < 200; round++) {
    const secret = random(32)
    const shares = await split(secret, 3, 2)
    expect(combined(at(shares, 0), at(shares, 1))).toEqual(secret)
    expect(combined(at(shares, 2), at(shares, 0))).toEqual(secret)
  }
})

test('over all slopes one share takes every value equally often, whatever the secret', () => {
  for (const secretByte of [0, 1, 0x53, 0xff]) {
    const seen = new Set<number | undefined>()
    for (let slope = 0; slope < 256; slope++) {
      const shares = splitSecret(new Uint8Array(32).fill(secretByte), [7, 9], () =>
        new Uint8Array(32).fill(slope),
      )
      seen.add(shares[0]?.[0])
    }
    expect(seen.size).toBe(256)
  }
})

test('the random bytes are wiped', () => {
  const slopes = random(32)
  splitSecret(random(32), [1, 2], () => slopes)
  expect(slopes.every((byte) => byte === 0)).toBe(true)
})

const share = (x: number, length = 33) => new Uint8Array(length).fill(0xaa, 0, 32).fill(x, 32)

test.each([
  ['a short share', share(1, 32), share(2), 32, 'invalid_length'],
  ['a long share', share(1), share(2, 34), 32, 'invalid_length'],
  ['an empty share', new Uint8Array(), share(2), 32, 'invalid_length'],
  ['a short target', share(1), share(2), 31, 'invalid_length'],
  ['a long target', share(1), share(2), 33, 'invalid_length'],
  ['x = 0 first, which would choose the key', share(0), share(2), 32, 'invalid_index'],
  ['x = 0 second, which would choose the key', share(2), share(0), 32, 'invalid_index'],
  ['equal x', share(3), share(3), 32, 'equal_index'],
])('%s is refused and nothing is written', (_, a, b, outLength, code) => {
  const out = new Uint8Array(outLength)
  expect(() => combineShares(a, b, out)).toThrow(expect.objectContaining({ name: 'ShareError', code }))
  expect(out.every((byte) => byte === 0)).toBe(true)
})

test.each([
  ['index 0', [0, 1]],
  ['index 256', [1, 256]],
  ['a fraction', [1, 1.5]],
  ['equal indexes', [4, 4]],
  ['one index', [4]],
])('splitting to %s is refused', (_, indexes) => {
  expect(() => splitSecret(random(32), indexes, random)).toThrow(ShareError)
})

test('a secret or randomness of another length is refused', () => {
  expect(() => splitSecret(random(31), [1, 2], random)).toThrow(ShareError)
  expect(() => splitSecret(random(32), [1, 2], () => random(31))).toThrow(ShareError)
})
