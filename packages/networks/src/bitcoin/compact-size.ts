import type { ByteReader } from '../codec/byte-reader.ts'
import { concat } from '../codec/concat.ts'
import { invalidPayload } from '../network-error.ts'

/** Bitcoin's CompactSize as a number; a longer form than needed, or one above 2^32 - 1, is `invalid_payload`. */
export function readCompactSize(reader: ByteReader): number {
  const first = reader.u8()
  if (first < 0xfd) return first
  const value = first === 0xfd ? reader.u8() + (reader.u8() << 8) : reader.u32()
  if (first === 0xff || value < (first === 0xfd ? 0xfd : 0x10000)) {
    throw invalidPayload('A length is not canonical.')
  }
  return value
}

/** Bytes behind a CompactSize length, as a view. */
export function readSized(reader: ByteReader): Uint8Array {
  return reader.bytes(readCompactSize(reader))
}

/** The shortest CompactSize of a number below 2^32. */
export function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value)
  if (value < 0x10000) return Uint8Array.of(0xfd, value, value >>> 8)
  return concat(Uint8Array.of(0xfe), littleEndian32(value))
}

/** Bytes with their CompactSize length before them. */
export function sized(bytes: Uint8Array): Uint8Array {
  return concat(compactSize(bytes.length), bytes)
}

/** Four bytes, least significant first. */
export function littleEndian32(value: number): Uint8Array {
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24)
}
