import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveKey } from './derive-key.ts'
import { keyedHash } from './keyed-hash.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('the vector of RFC 5869 appendix A.3 (empty salt) comes out', () => {
  const okm = '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8'
  const master = new Uint8Array(22).fill(0x0b)
  expect(hex(deriveKey(master, '', 42))).toBe(okm)
  expect(hex(deriveKey(createSecretKey(master), '', 42))).toBe(okm)
})

test('different uses get different keys', () => {
  const master = new Uint8Array(32).fill(1)
  expect(hex(deriveKey(master, 'a', 32))).not.toBe(hex(deriveKey(master, 'b', 32)))
})

test('the keyed hash is the HMAC-SHA256 of RFC 4231 test case 2', () => {
  const digest = keyedHash(createSecretKey(Buffer.from('Jefe')), 'what do ya want for nothing?')
  expect(hex(digest)).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
})
