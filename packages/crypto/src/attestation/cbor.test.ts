import { propertyRuns } from '@symbolon/testing/properties'
import { decode, encode } from 'cborg'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AttestationError } from './attestation-error.ts'
import { readCbor } from './cbor.ts'

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))

/** Values of the kinds that documents have. */
const values = fc.letrec<{ value: unknown; map: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.maxSafeInteger(),
    fc.string({ unit: 'grapheme' }),
    fc.uint8Array(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('map'),
  ),
  map: fc
    .uniqueArray(fc.tuple(fc.oneof(fc.nat(), fc.string()), tie('value')), {
      maxLength: 4,
      selector: ([key]) => `${typeof key}${key}`,
    })
    .map((entries) => new Map(entries)),
})).value

test('what another encoder writes is read as it was, and what it reads strictly is read alike', () => {
  fc.assert(
    fc.property(values, (value) => {
      // A Buffer would give views of its own kind.
      const bytes = Uint8Array.from(encode(value, { mapSorter: () => 0 }))
      expect(readCbor(bytes, 'sample')).toEqual(decode(bytes, { useMaps: true }))
    }),
    { numRuns: propertyRuns(2_000) },
  )
})

test('whatever bytes come: they are read as another strict decoder reads them, or refused', () => {
  const start = encode(
    new Map<unknown, unknown>([
      [1, [new Uint8Array(3), 'text', null]],
      ['key', -35],
    ]),
  )
  fc.assert(
    fc.property(fc.nat(start.length - 1), fc.nat(255), fc.nat(start.length), (at, byte, end) => {
      const bytes = Uint8Array.from(start).subarray(0, Math.max(end, at + 1))
      bytes[at] = byte
      let value: unknown
      try {
        value = readCbor(bytes, 'sample')
      } catch (error) {
        expect(error).toBeInstanceOf(AttestationError)
        return
      }
      const strict = { strict: true, allowIndefinite: false, useMaps: true, rejectDuplicateMapKeys: true }
      expect(value).toEqual(decode(bytes, strict))
    }),
    { numRuns: propertyRuns(8_000) },
  )
})

test.each([
  ['nothing', ''],
  ['a key twice', 'a2 01 01 01 02'],
  ['bytes after the end', '01 02'],
  ['1 in two bytes', '18 01'],
  ['255 in three bytes', '19 00ff'],
  ['a length of 3 in two bytes', '58 03 010203'],
  ['bytes without a length', '5f 41 00 ff'],
  ['a text without a length', '7f 61 61 ff'],
  ['an array without a length', '9f 01 ff'],
  ['a text that is not UTF-8', '61 ff'],
  ['a lone surrogate', '63 eda080'],
  ['more bytes than there are', '42 01'],
  ['more elements than there are', '9b 00000001 00000000'],
  ['a number beyond 2^53', '1b 0020000000000000'],
  ['a map with a map for a key', 'a1 a0 01'],
  ['a tag', 'd2 01'],
  ['true', 'f5'],
  ['undefined', 'f7'],
  ['a float', 'f9 3c00'],
  ['a break alone', 'ff'],
  ['arrays without end', '81'.repeat(5_000)],
])('%s is refused', (_name, bytes) => {
  expect(() => readCbor(hex(bytes), 'sample', true)).toThrow(AttestationError)
})

test('only the outermost map may have no length, and only where the caller says so', () => {
  const open = hex('bf 01 02 ff')
  expect(readCbor(open, 'sample', true)).toEqual(new Map([[1, 2]]))
  expect(() => readCbor(open, 'sample')).toThrow(AttestationError)
  for (const bytes of [
    'a1 01 bf 01 02 ff',
    'bf 01 bf ff ff',
    'bf 01 ff',
    'bf 01 02',
    'bf 01 02 01 03 ff',
    'bf ff 00',
  ])
    expect(() => readCbor(hex(bytes), 'sample', true), bytes).toThrow(AttestationError)
})

test('a map key named __proto__ is a key like any other', () => {
  expect(readCbor(hex('a1 69 5f5f70726f746f5f5f 01'), 'sample')).toEqual(new Map([['__proto__', 1]]))
})
