import { randomBytes } from 'node:crypto'
import { crc32 as zlibCrc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base62 } from './base62.ts'
import { crc32 } from './crc32.ts'
import { mintToken, parseToken } from './token.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const example = 'sk_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg2LOcWk'
const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))

test('the documented example is recognised', () => {
  expect(parseToken(example)).toEqual({ prefix: 'sk_live_', last4: 'OcWk' })
})

test('every minted token has the documented shape and is recognised', () => {
  for (const prefix of ['pk_live_', 'sk_live_', 'as_live_'] as const) {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(bytes, (random) => {
        const token = mintToken(prefix, random)
        expect(token).toMatch(/^[a-z]{2}_live_[0-9A-Za-z]{49}$/)
        expect(parseToken(token)).toEqual({ prefix, last4: token.slice(-4) })
      }),
    )
  }
})

test('the 43 characters are the 32 random bytes, none lost', () => {
  for (const random of [new Uint8Array(32), new Uint8Array(32).fill(255), Uint8Array.from(randomBytes(32))]) {
    const body = mintToken('as_live_', random).slice(8, 51)
    const value = [...body].reduce((sum, char) => sum * 62n + BigInt(alphabet.indexOf(char)), 0n)
    expect(value).toBe(BigInt(`0x${Buffer.from(random).toString('hex')}`))
  }
})

test('every single wrong character in a token is noticed', () => {
  for (let at = 0; at < example.length; at++) {
    for (const char of printable) {
      if (char === example[at]) continue
      expect(parseToken(example.slice(0, at) + char + example.slice(at + 1))).toBeUndefined()
    }
  }
})

test('every two swapped neighbours, missing and doubled characters are noticed', () => {
  for (let at = 0; at < example.length; at++) {
    const [before, here, next, after] = [
      example.slice(0, at),
      example[at],
      example[at + 1],
      example.slice(at + 2),
    ]
    if (next !== undefined && next !== here)
      expect(parseToken(`${before}${next}${here}${after}`)).toBeUndefined()
    expect(parseToken(before + example.slice(at + 1))).toBeUndefined()
    expect(parseToken(before + here + example.slice(at))).toBeUndefined()
  }
})

test('no other text is a token', () => {
  const other = [
    `${example} `,
    ` ${example}`,
    `${example}\n`,
    '',
    'sk_live_',
    example.replace('sk_', 'xk_'),
    '\u0130'.repeat(57),
  ]
  for (const text of other) expect(parseToken(text)).toBeUndefined()
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 57, maxLength: 57 }), (text) => !parseToken(text)),
  )
})

test('the checksum is that of zlib', () => {
  expect(crc32('123456789', 9)).toBe(0xcbf43926)
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme-ascii' }),
      (text) => crc32(text, text.length) === zlibCrc32(text),
    ),
  )
})

test('numbers that do not fit and wrong lengths of random bytes are refused', () => {
  expect(base62(Uint8Array.of(61), 1)).toBe('z')
  expect(() => base62(Uint8Array.of(62), 1)).toThrow(RangeError)
  expect(() => mintToken('pk_live_', new Uint8Array(31))).toThrow(RangeError)
})

test('recognising a token costs less than 3 microseconds', () => {
  const rounds = 20_000
  const run = () => {
    // The processor's time, which a busy machine does not stretch as it does the clock's.
    const start = process.cpuUsage()
    for (let i = 0; i < rounds; i++) parseToken(example)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / rounds
  }
  expect(Math.min(run(), run(), run(), run(), run())).toBeLessThan(3)
})
