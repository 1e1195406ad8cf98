import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  expectEnd,
  readBytes16,
  readBytes32,
  readFixed,
  readText,
  readU8,
  readU16,
  readU32,
  WireError,
  wipeWriter,
  wireReader,
  wireWriter,
  writeBytes16,
  writeBytes32,
  writeFixed,
  writeText,
  writeU8,
  writeU16,
  writeU32,
  writtenBytes,
} from './wire.ts'

const ascii = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 255,
})

test('written values are read back, also when the buffer had to grow', () => {
  fc.assert(
    fc.property(
      fc.nat(255),
      fc.nat(65_535),
      fc.nat(0xffffffff),
      fc.uint8Array({ maxLength: 300 }),
      ascii,
      (u8, u16, u32, bytes, text) => {
        const writer = wireWriter(1)
        writeU8(writer, u8)
        writeU16(writer, u16)
        writeU32(writer, u32)
        writeBytes16(writer, bytes)
        writeText(writer, text)
        writeBytes32(writer, bytes)
        writeFixed(writer, bytes)
        const reader = wireReader(writtenBytes(writer))
        expect(readU8(reader)).toBe(u8)
        expect(readU16(reader)).toBe(u16)
        expect(readU32(reader)).toBe(u32)
        expect(Buffer.from(readBytes16(reader))).toEqual(Buffer.from(bytes))
        expect(readText(reader)).toBe(text)
        expect(Buffer.from(readBytes32(reader))).toEqual(Buffer.from(bytes))
        expect(Buffer.from(readFixed(reader, bytes.length))).toEqual(Buffer.from(bytes))
        expectEnd(reader)
      },
    ),
  )
})

test('no read passes the end', () => {
  const reads = [readU8, readU16, readU32, readBytes16, readBytes32, readText]
  for (const read of reads) expect(() => read(wireReader(new Uint8Array(0)))).toThrow(WireError)
  expect(() => readU32(wireReader(new Uint8Array(3)))).toThrow(WireError)
  expect(() => readBytes16(wireReader(Uint8Array.of(0, 3, 1, 2)))).toThrow(WireError)
  expect(() => readBytes32(wireReader(Uint8Array.of(255, 255, 255, 255, 1)))).toThrow(WireError)
  expect(() => readFixed(wireReader(new Uint8Array(8), 0, 4), 5)).toThrow(WireError)
  expect(() => wireReader(new Uint8Array(4), 2, 5)).toThrow(WireError)
})

test('a rest is refused', () => {
  expect(() => expectEnd(wireReader(Uint8Array.of(1)))).toThrow(WireError)
})

test('text has one form: printable ASCII of at most 255 characters', () => {
  expect(() => readText(wireReader(Uint8Array.of(1, 0x1f)))).toThrow(WireError)
  expect(() => readText(wireReader(Uint8Array.of(1, 0x80)))).toThrow(WireError)
  expect(() => writeText(wireWriter(8), 'é')).toThrow(WireError)
  expect(() => writeText(wireWriter(8), 'a'.repeat(256))).toThrow(WireError)
  expect(() => writeBytes16(wireWriter(8), new Uint8Array(65_536))).toThrow(WireError)
})

test('a wiped writer leaves nothing behind, nor does one that grew', () => {
  const writer = wireWriter(4)
  writeU32(writer, 0xffffffff)
  const first = writer.bytes
  writeU32(writer, 0xffffffff)
  expect(first.every((byte) => byte === 0)).toBe(true)
  wipeWriter(writer)
  expect(writer.bytes.subarray(0, 8).every((byte) => byte === 0)).toBe(true)
  expect(writer.offset).toBe(0)
})
