import { uuidToBytes } from '../uuid.ts'

/** Refusal of bytes that do not have the expected shape: too short, too long or with a rest. */
export class WireError extends Error {
  override readonly name = 'WireError'
}

/** A position in received bytes; every read checks the bounds before it moves. */
export type WireReader = { readonly bytes: Uint8Array; offset: number; readonly end: number }

/** Bytes under construction; the buffer grows as needed and `offset` is the length written so far. */
export type WireWriter = { bytes: Buffer; offset: number }

/** Starts reading at `start`, up to `end` (exclusive). */
export function wireReader(bytes: Uint8Array, start = 0, end = bytes.length): WireReader {
  if (start < 0 || end > bytes.length || start > end) throw new WireError('range outside the bytes')
  return { bytes, offset: start, end }
}

function advance(reader: WireReader, length: number): number {
  const start = reader.offset
  if (length > reader.end - start) throw new WireError('truncated')
  reader.offset = start + length
  return start
}

/** One byte. */
export function readU8(reader: WireReader): number {
  return reader.bytes[advance(reader, 1)] ?? 0
}

/** Two bytes, big-endian. */
export function readU16(reader: WireReader): number {
  const at = advance(reader, 2)
  const { bytes } = reader
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

/** Four bytes, big-endian, 0..2^32-1. */
export function readU32(reader: WireReader): number {
  const at = advance(reader, 4)
  const { bytes } = reader
  const high = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  return high * 0x10000 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))
}

/** Eight bytes, big-endian, 0..2^53-1. */
export function readU64(reader: WireReader): number {
  const value = readU32(reader) * 0x100000000 + readU32(reader)
  if (!Number.isSafeInteger(value)) throw new WireError('number is too large')
  return value
}

/** Exactly `length` bytes, as a view of the received ones. */
export function readFixed(reader: WireReader, length: number): Uint8Array {
  const at = advance(reader, length)
  return reader.bytes.subarray(at, at + length)
}

/** Bytes behind a two-byte length, as a view of the received ones. */
export function readBytes16(reader: WireReader): Uint8Array {
  return readFixed(reader, readU16(reader))
}

/** Bytes behind a four-byte length, as a view of the received ones. */
export function readBytes32(reader: WireReader): Uint8Array {
  return readFixed(reader, readU32(reader))
}

/** ASCII text behind a one-byte length; other bytes are refused so that one text has one form. */
export function readText(reader: WireReader): string {
  const length = readU8(reader)
  const at = advance(reader, length)
  let text = ''
  for (let i = at; i < at + length; i++) {
    const code = reader.bytes[i] ?? 0
    if (code < 0x20 || code > 0x7e) throw new WireError('text is not printable ASCII')
    text += String.fromCharCode(code)
  }
  return text
}

/** Refuses bytes left over after the last field. */
export function expectEnd(reader: WireReader): void {
  if (reader.offset !== reader.end) throw new WireError('trailing bytes')
}

/** An empty writer with room for `capacity` bytes. */
export function wireWriter(capacity: number): WireWriter {
  return { bytes: Buffer.allocUnsafeSlow(capacity), offset: 0 }
}

/** The bytes written so far, as a view that the next write may overwrite. */
export function writtenBytes(writer: WireWriter): Uint8Array {
  return writer.bytes.subarray(0, writer.offset)
}

/** Forgets what was written and zeroes it: messages carry data keys. */
export function wipeWriter(writer: WireWriter): void {
  writer.bytes.fill(0, 0, writer.offset)
  writer.offset = 0
}

function reserve(writer: WireWriter, length: number): number {
  const start = writer.offset
  const needed = start + length
  if (needed > writer.bytes.length) {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, writer.bytes.length * 2))
    writer.bytes.copy(grown, 0, 0, start)
    writer.bytes.fill(0)
    writer.bytes = grown
  }
  writer.offset = needed
  return start
}

/** Appends one byte. */
export function writeU8(writer: WireWriter, value: number): void {
  const at = reserve(writer, 1)
  writer.bytes[at] = value
}

/** Appends two bytes, big-endian. */
export function writeU16(writer: WireWriter, value: number): void {
  if (value > 0xffff) throw new WireError('too long for a two-byte length')
  const at = reserve(writer, 2)
  writer.bytes[at] = value >>> 8
  writer.bytes[at + 1] = value
}

/** Appends four bytes, big-endian. */
export function writeU32(writer: WireWriter, value: number): void {
  setU32(writer, reserve(writer, 4), value)
}

/** Appends eight bytes, big-endian. */
export function writeU64(writer: WireWriter, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new WireError('number is too large')
  writeU32(writer, Math.floor(value / 0x100000000))
  writeU32(writer, value % 0x100000000)
}

/** Overwrites four bytes at `at`: a length that is known only after its content. */
export function setU32(writer: WireWriter, at: number, value: number): void {
  const { bytes } = writer
  bytes[at] = value >>> 24
  bytes[at + 1] = value >>> 16
  bytes[at + 2] = value >>> 8
  bytes[at + 3] = value
}

/** Appends bytes whose length both sides know. */
export function writeFixed(writer: WireWriter, value: Uint8Array): void {
  const at = reserve(writer, value.length)
  writer.bytes.set(value, at)
}

/** Appends bytes behind a two-byte length. */
export function writeBytes16(writer: WireWriter, value: Uint8Array): void {
  writeU16(writer, value.length)
  writeFixed(writer, value)
}

/** Appends bytes behind a four-byte length. */
export function writeBytes32(writer: WireWriter, value: Uint8Array): void {
  writeU32(writer, value.length)
  writeFixed(writer, value)
}

/** Appends ASCII text behind a one-byte length. */
export function writeText(writer: WireWriter, value: string): void {
  if (value.length > 0xff) throw new WireError('text longer than 255 bytes')
  writeU8(writer, value.length)
  const at = reserve(writer, value.length)
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code < 0x20 || code > 0x7e) throw new WireError('text is not printable ASCII')
    writer.bytes[at + i] = code
  }
}

/** Appends the 16 bytes of a canonical UUID. */
export function writeUuid(writer: WireWriter, id: string): void {
  let bytes: Uint8Array
  try {
    bytes = uuidToBytes(id)
  } catch {
    throw new WireError('id is not a canonical UUID')
  }
  writeFixed(writer, bytes)
}
