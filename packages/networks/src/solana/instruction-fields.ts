import { type ByteReader, byteReader } from '../codec/byte-reader.ts'
import { decodeUtf8 } from '../codec/utf8.ts'
import { invalidPayload, unlessRefused } from '../network-error.ts'
import { shownText } from '../preview/shown-text.ts'
import { addressOf } from './address-of.ts'

/** The arguments and accounts of an instruction by name, as a preview shows them. */
export type InstructionFields = Readonly<Record<string, string>>

/**
 * Reads the data of an instruction after its number, `spec` being `name:type` separated by spaces; `undefined` when
 * the data is not exactly that. `=n` is a byte of that value; it, an absent `key?` and `rest` have no entry.
 */
export function instructionFields(spec: string, data: Uint8Array): InstructionFields | undefined {
  const reader = byteReader(data)
  const fields: Record<string, string> = {}
  return unlessRefused(() => {
    for (const part of spec === '' ? [] : spec.split(' ')) {
      const [name = '', type = ''] = part.split(':')
      const value = type.startsWith('=') ? constant(reader, type.slice(1)) : types[type]?.(reader)
      if (value !== undefined) fields[name] = value
    }
    return reader.left() === 0 ? fields : undefined
  })
}

const key = (reader: ByteReader) => addressOf(reader.bytes(32))

/** Little-endian numbers, keys, bincode's texts, an option as one byte and its value, all that is left as text. */
const types: Readonly<Record<string, (reader: ByteReader) => string | undefined>> = {
  u8: (reader) => String(reader.u8()),
  u32: (reader) => String(reader.u32()),
  u64: (reader) => String(reader.u64()),
  key,
  text(reader) {
    const bytes = reader.bytes(Number(reader.u64()))
    if (decodeUtf8(bytes) === undefined) throw invalidPayload('A text of an instruction is not UTF-8.')
    return shownText(bytes)
  },
  all: (reader) => shownText(reader.bytes(reader.left())),
  'u64?': (reader) => optional(reader, () => String(reader.u64())),
  'key?': (reader) => optional(reader, () => key(reader)),
  rest(reader) {
    reader.bytes(reader.left())
    return undefined
  },
}

function constant(reader: ByteReader, expected: string): undefined {
  if (String(reader.u8()) !== expected) throw invalidPayload('It is another instruction.')
}

function optional(reader: ByteReader, read: () => string): string | undefined {
  const tag = reader.u8()
  if (tag > 1) throw invalidPayload('An option of an instruction is malformed.')
  return tag === 1 ? read() : undefined
}
