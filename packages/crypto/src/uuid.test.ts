import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uuidFromBytes, uuidToBytes, uuidv7 } from './uuid.ts'

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 })
const random = fc.uint8Array({ minLength: 10, maxLength: 10 })

test('the example of RFC 9562 appendix A.6 comes out', () => {
  const bits = Uint8Array.of(0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f)
  expect(uuidv7(0x017f22e279b0, bits)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
})

test('version and variant bits hold for every time and randomness, and the rest is kept', () => {
  fc.assert(
    fc.property(time, random, (nowMs, bits) => {
      const id = uuidv7(nowMs, bits)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(nowMs)
      const tail = uuidToBytes(id).subarray(6)
      expect(tail.subarray(3)).toEqual(bits.subarray(3))
      expect([(tail[0] ?? 0) & 0x0f, tail[1]]).toEqual([(bits[0] ?? 0) & 0x0f, bits[1]])
      expect((tail[2] ?? 0) & 0x3f).toBe((bits[2] ?? 0) & 0x3f)
    }),
  )
})

test('an id of a later millisecond sorts after every id of an earlier one', () => {
  fc.assert(
    fc.property(time, time, random, random, (a, b, x, y) => {
      fc.pre(a < b)
      expect(uuidv7(a, x) < uuidv7(b, y)).toBe(true)
    }),
  )
})

test('text and bytes are two spellings of one id', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      expect(uuidToBytes(uuidFromBytes(bytes))).toEqual(bytes)
    }),
  )
  expect(uuidToBytes('00010203-0405-0607-0809-0a0b0c0dfeff').toString()).toBe(
    '0,1,2,3,4,5,6,7,8,9,10,11,12,13,254,255',
  )
})

test.each([
  '',
  '017F22E2-79B0-7CC3-98C4-DC0C0C07398F',
  '017f22e279b07cc398c4dc0c0c07398f',
  '{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}',
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398g',
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n',
  ' 017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
])('%j is not a canonical UUID', (text) => {
  expect(() => uuidToBytes(text)).toThrow(RangeError)
})

test.each([-1, 0.5, 2 ** 48, Number.NaN, Number.POSITIVE_INFINITY])('%d is no time for an id', (nowMs) => {
  expect(() => uuidv7(nowMs, new Uint8Array(10))).toThrow(RangeError)
})

test('wrong lengths of random bytes and of ids are refused', () => {
  expect(() => uuidv7(0, new Uint8Array(9))).toThrow(RangeError)
  expect(() => uuidv7(0, new Uint8Array(11))).toThrow(RangeError)
  expect(() => uuidFromBytes(new Uint8Array(15))).toThrow(RangeError)
})
