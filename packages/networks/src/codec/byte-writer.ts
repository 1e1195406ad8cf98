import { encodeUtf8 } from './utf8.ts'

/** A growing buffer of fields. */
export type ByteWriter = {
  u8(value: number): void
  u32(value: number): void
  bytes(value: Uint8Array): void
  /** u32 length, then the bytes. */
  sizedBytes(value: Uint8Array): void
  /** u32 length, then UTF-8. */
  sizedText(value: string): void
  finish(): Uint8Array
}

/** A writer of little-endian fields, starting at `capacity` bytes. */
export function byteWriter(capacity = 128): ByteWriter {
  let buffer = new Uint8Array(capacity)
  let length = 0

  function reserve(size: number): number {
    const start = length
    length += size
    if (length > buffer.length) {
      const grown = new Uint8Array(Math.max(length, 2 * buffer.length))
      grown.set(buffer)
      buffer = grown
    }
    return start
  }

  const writer: ByteWriter = {
    u8(value) {
      const at = reserve(1)
      buffer[at] = value
    },
    u32(value) {
      const at = reserve(4)
      buffer[at] = value
      buffer[at + 1] = value >>> 8
      buffer[at + 2] = value >>> 16
      buffer[at + 3] = value >>> 24
    },
    bytes(value) {
      const at = reserve(value.length)
      buffer.set(value, at)
    },
    sizedBytes(value) {
      writer.u32(value.length)
      writer.bytes(value)
    },
    sizedText(value) {
      writer.sizedBytes(encodeUtf8(value))
    },
    finish: () => buffer.subarray(0, length),
  }
  return writer
}
