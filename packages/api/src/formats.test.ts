import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import * as formats from './formats.ts'

const uuid = '0192f0c1-0000-7000-8000-0123456789ab'
const surrogate = String.fromCharCode(0xd800)

const table: Record<string, { accepts: unknown[]; refuses: unknown[] }> = {
  Id: {
    accepts: [uuid],
    refuses: [
      uuid.toUpperCase(),
      `${uuid} `,
      `${uuid}\n`,
      uuid.replaceAll('-', ''),
      `{${uuid}}`,
      '',
      1,
      null,
    ],
  },
  Timestamp: {
    accepts: ['2026-11-20T18:00:00.000Z'],
    refuses: ['2026-11-20T18:00:00Z', '2026-11-20 18:00:00.000Z', '2026-11-20T18:00:00.000+00:00', 0],
  },
  GivenTimestamp: {
    accepts: [
      '2026-11-20T18:00:00.000Z',
      '2026-11-20T18:00:00Z',
      '2026-11-20T18:00:00+00:00',
      '2026-11-20T18:00:00.123456789-05:30',
      '2028-02-29T23:59:59Z',
    ],
    refuses: [
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00+14:00',
      '9999-12-31T23:59:59-14:00',
      '2026-11-20',
      '2026-11-20T18:00:00',
      '2026-11-20T18:00:00.000',
      '2026-11-20 18:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-02-29T00:00:00Z',
      '2026-11-20T24:00:00Z',
      '2026-11-20T18:60:00Z',
      '2026-11-20T18:00:00+0100',
      '2026-11-20T18:00:00+25:00',
      '9999-12-31T23:59:59-01:00',
      '0000-01-01T00:00:00+01:00',
      '+020260-11-20T18:00:00Z',
      'Fri, 20 Nov 2026 18:00:00 GMT',
      '2026-11-20T18:00:00Z\n',
      1795197600000,
      null,
    ],
  },
  Amount: {
    accepts: ['0', '1', '9'.repeat(78)],
    refuses: ['', '00', '01', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '9'.repeat(79), 1, '１'],
  },
  Hex: {
    accepts: ['0x', '0xab', '0xAB', `0x${'ab'.repeat(100_000)}`],
    refuses: ['', 'ab', '0xa', '0Xab', '0xzz', '0xab ', '0xab\n', '0xａｂ', 171, ['0xab']],
  },
  Hex32: {
    accepts: [`0x${'aB'.repeat(32)}`],
    refuses: [`0x${'ab'.repeat(31)}`, `0x${'ab'.repeat(33)}`, '0x'],
  },
  EvmAddress: {
    accepts: [`0x${'Ab'.repeat(20)}`],
    refuses: [`0x${'ab'.repeat(19)}`, `0x${'ab'.repeat(21)}`, 'ab'.repeat(20), `0x${'zz'.repeat(20)}`],
  },
  Quantity64: {
    accepts: ['0x0', '0x1', '0xffffffffffffffff'],
    refuses: ['0x', '0x00', '0x01', '1', '0x10000000000000000', '-0x1', 1],
  },
  Quantity256: { accepts: ['0x0', `0x${'f'.repeat(64)}`], refuses: [`0x1${'0'.repeat(64)}`, '0x00', '0'] },
  Base64: {
    accepts: ['', 'AA==', 'AAA=', 'AAAA', '+/+/'],
    refuses: ['A', 'AA', 'AAA', 'AB==', 'AAB=', 'AAAA=', '-_-_', 'AA==AA==', 'AAAA\n', 'AA AA', '=', 0],
  },
  SerializedTransaction: {
    accepts: ['0x02c0', '0a02', 'AAEC', 'AA=='],
    refuses: ['', '0x', '0x0', 'AB==', 'A', 'AAE', 'AA-_', '0xz', {}],
  },
  Email: {
    accepts: ['a@example.test', 'a.b+c@sub.example.test', "o'neil@example.test", 'jörg@müller.example'],
    refuses: [
      'a',
      'a@b',
      '@example.test',
      'a@',
      'a b@example.test',
      'a@example.test,b@example.test',
      'a@example.test\r\nBcc: b@example.test',
      '<a@example.test>',
      'a@b@example.test',
      'a@.example.test',
      `a${surrogate}@example.test`,
      `a\0@example.test`,
      `${'a'.repeat(65)}@example.test`,
      `a@${'b'.repeat(250)}.test`,
      `${'a'.repeat(100_000)}@`,
    ],
  },
  Curve: { accepts: ['secp256k1', 'ed25519'], refuses: ['SECP256K1', 'p256', '', null, 0] },
  ChainHandle: { accepts: ['base', 'no-such-chain'], refuses: ['', 'x'.repeat(65), 1] },
}

describe.each(Object.entries(table))('%s', (name, { accepts, refuses }) => {
  const schema = (formats as unknown as Record<string, z.ZodType>)[name]
  test('accepts what it promises', () => {
    for (const value of accepts)
      expect(schema?.safeParse(value).success, String(value).slice(0, 60)).toBe(true)
  })
  test('refuses everything else', () => {
    for (const value of refuses)
      expect(schema?.safeParse(value).success, String(value).slice(0, 60)).toBe(false)
  })
})

test('an email is trimmed, folded in width and case, whatever way it was typed', () => {
  for (const typed of [' User@Example.TEST ', 'ＵＳＥＲ＠example.test', 'user@example.test']) {
    expect(formats.Email.parse(typed)).toBe('user@example.test')
  }
})

test('base64 is accepted exactly when it is the one text of its bytes', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.base64String(), fc.string({ unit: fc.constantFrom(...'AQgwBZ09+/=') })),
      (text) => {
        const isCanonical = Buffer.from(text, 'base64').toString('base64') === text
        expect(formats.Base64.safeParse(text).success).toBe(isCanonical)
      },
    ),
    { numRuns: 2000 },
  )
})

test('a hostile 256 KiB text is checked at once', () => {
  const hostile = ['A', 'a', '0', '='].map((unit) => `${unit.repeat(262_143)}!`)
  const startedAt = process.cpuUsage()
  for (const schema of [formats.SerializedTransaction, formats.Base64, formats.Hex, formats.Email]) {
    for (const text of hostile) expect(schema.safeParse(text).success).toBe(false)
  }
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(5_000)
})

test.each([
  ['2026-11-20T18:00:00Z', '2026-11-20T18:00:00.000Z'],
  ['2026-11-20T18:00:00+02:00', '2026-11-20T16:00:00.000Z'],
  ['2026-11-20T18:00:00.123999-05:30', '2026-11-20T23:30:00.123Z'],
  ['2026-11-20T18:00:00.5Z', '2026-11-20T18:00:00.500Z'],
])('a time that is given as %s is %s', (given, time) => {
  expect(formats.GivenTimestamp.parse(given)).toBe(time)
  expect(formats.Timestamp.safeParse(time).success).toBe(true)
})
