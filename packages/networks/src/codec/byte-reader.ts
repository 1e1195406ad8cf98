import { invalidPayload } from '../network-error.ts'
import { decodeUtf8 } from './utf8.ts'

/** Reads little-endian fields in order; running past the end or malformed text is `invalid_payload`. */
export type ByteReader = {
  u8(): number
  u32(): number
  u64(): bigint
  u128(): bigint
  bytes(length: number): Uint8Array
  sizedBytes(): Uint8Array
  sizedText(): string
  /** Bytes not read yet. */
  left(): number
}

/** A reader over `source`; the arrays it returns are views of it. */
export function byteReader(source: Uint8Array, start = 0): ByteReader {
  let offset = start

  function take(length: number): number {
    const at = offset
    if (length > source.length - at) throw invalidPayload('The payload ends too early.')
    offset = at + length
    return at
  }

  const reader: ByteReader = {
    u8: () => source[take(1)] ?? 0,
    u32() {
      const at = take(4)
      const low = (source[at] ?? 0) | ((source[at + 1] ?? 0) << 8) | ((source[at + 2] ?? 0) << 16)
      return (low | ((source[at + 3] ?? 0) << 24)) >>> 0
    },
    u64: () => BigInt(reader.u32()) | (BigInt(reader.u32()) << 32n),
    u128: () => reader.u64() | (reader.u64() << 64n),
    bytes(length) {
      const at = take(length)
      return source.subarray(at, at + length)
    },
    sizedBytes: () => reader.bytes(reader.u32()),
    sizedText() {
      const text = decodeUtf8(reader.sizedBytes())
      if (text === undefined) throw invalidPayload('A text of the payload is not UTF-8.')
      return text
    },
    left: () => source.length - offset,
  }
  return reader
}
