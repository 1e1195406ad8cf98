import type { ByteReader } from '../codec/byte-reader.ts'
import { invalidPayload } from '../network-error.ts'

/** Reads a compact-u16: seven bits a byte, at most 16 bits, in the fewest bytes, otherwise `invalid_payload`. */
export function compactLength(reader: ByteReader): number {
  let value = 0
  for (let shift = 0; shift <= 14; shift += 7) {
    const byte = reader.u8()
    value |= (byte & 0x7f) << shift
    if (byte >= 0x80) continue
    if ((byte === 0 && shift > 0) || value > 0xffff) break
    return value
  }
  throw invalidPayload('A length of the payload is not canonical.')
}
