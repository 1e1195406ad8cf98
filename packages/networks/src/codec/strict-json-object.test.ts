import { expect, test } from 'vitest'
import { keccak256 } from '#keccak'
import { sha256 } from '#sha2'
import { toHex } from './hex.ts'
import { quantityToBytes, quantityToWord } from './quantity.ts'
import { strictJsonObject } from './strict-json-object.ts'

const read = (text: string) => strictJsonObject(new TextEncoder().encode(text))

test('white space between the parts of an object is no difference, within its texts it is', () => {
  const spaced = ' {\n"a b" :\t[ 1 , " x\\" y " ] ,\r\n "c":{ } } '
  expect(read(spaced)).toEqual({ 'a b': [1, ' x" y '], c: {} })
  expect(read('{"a":"\\\\" , "b":" "}')).toEqual({ a: '\\', b: ' ' })
  for (const text of ['{"a":1,"a":1}', '{"a" :"\\u0041"}', '{"a": 1.0}', '[1]', '{"a":1', '"x"'])
    expect(read(text)).toBeUndefined()
})

test('a word has the same digits, whether its number is small or large', () => {
  for (const value of [
    0n,
    1n,
    255n,
    256n,
    2n ** 32n + 5n,
    2n ** 53n - 1n,
    2n ** 53n,
    2n ** 53n + 1n,
    2n ** 256n - 1n,
  ]) {
    expect(toHex(quantityToWord(value))).toBe(value.toString(16).padStart(64, '0'))
    const digits = value === 0n ? '' : value.toString(16)
    expect(toHex(quantityToBytes(value))).toBe(digits.length % 2 === 0 ? digits : `0${digits}`)
  }
})

test('hashes are plain arrays of their own', () => {
  for (const hash of [sha256, keccak256]) {
    const bytes = hash(new Uint8Array(3))
    expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype)
    expect(bytes.buffer.byteLength).toBe(32)
  }
})
