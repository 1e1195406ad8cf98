import { type ByteReader, byteReader } from '../codec/byte-reader.ts'
import { invalidPayload } from '../network-error.ts'

/** Reads Binary Canonical Serialization in order; what is not canonical is `invalid_payload`. */
export type BcsReader = Pick<ByteReader, 'u8' | 'u64' | 'left'> & {
  /** A length or variant: ULEB128 of at most 32 bits in its shortest form. */
  length(): number
  flag(): boolean
  address(): Uint8Array
  bytes(): Uint8Array
  /** The name of a Move module, function or struct. */
  identifier(): string
  list<item>(read: () => item): item[]
  option<item>(read: () => item): item | undefined
  end(): void
}

/** Move names: letters, digits, underscores; at most 255 bytes. */
const identifierShape = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/

/** A reader over `source`; the arrays it returns are views of it. */
export function bcsReader(source: Uint8Array): BcsReader {
  const inner = byteReader(source)
  const reader: BcsReader = {
    u8: inner.u8,
    u64: inner.u64,
    left: inner.left,
    length() {
      let value = 0
      for (let shift = 0; shift < 35; shift += 7) {
        const byte = inner.u8()
        value += (byte & 0x7f) * 2 ** shift
        if (byte >= 0x80) continue
        if ((byte === 0 && shift > 0) || value > 0xffff_ffff) break
        return value
      }
      throw invalidPayload('A length of the transaction is not canonical.')
    },
    flag() {
      const byte = inner.u8()
      if (byte > 1) throw invalidPayload('A flag of the transaction is neither 0 nor 1.')
      return byte === 1
    },
    address: () => inner.bytes(32),
    bytes: () => inner.bytes(reader.length()),
    identifier() {
      // No encoding of a name has bytes above ASCII.
      let text = ''
      for (const byte of reader.bytes()) text += String.fromCharCode(byte)
      if (!identifierShape.test(text)) throw invalidPayload('A name of the transaction is malformed.')
      return text
    },
    list(read) {
      const count = reader.length()
      // Every item takes a byte or more.
      if (count > inner.left()) throw invalidPayload('A list of the transaction is longer than its bytes.')
      const items = []
      for (let left = count; left > 0; left--) items.push(read())
      return items
    },
    option: (read) => (reader.flag() ? read() : undefined),
    end() {
      if (inner.left() !== 0) throw invalidPayload('The transaction has trailing bytes.')
    },
  }
  return reader
}
