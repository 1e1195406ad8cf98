import {
  readU8,
  readU32,
  setU32,
  WireError,
  type WireReader,
  type WireWriter,
  wireReader,
  writeU8,
  writeU32,
} from './wire.ts'

const headerBytes = 5

/** Calls `visit` for each message of a record in order; throws `WireError` on any malformed length. */
export function eachMessage(
  record: Uint8Array,
  visit: (id: number, code: number, body: WireReader) => void,
): void {
  const reader = wireReader(record)
  while (reader.offset < reader.end) {
    const length = readU32(reader)
    const end = reader.offset + length
    if (length < headerBytes || end > reader.end) throw new WireError('message length')
    const id = readU32(reader)
    const code = readU8(reader)
    visit(id, code, wireReader(record, reader.offset, end))
    reader.offset = end
  }
}

/** Opens a message at the end of the record under construction; answers the place to give to `endMessage`. */
export function beginMessage(writer: WireWriter, id: number, code: number): number {
  const at = writer.offset
  writeU32(writer, 0)
  writeU32(writer, id)
  writeU8(writer, code)
  return at
}

/** Closes the message begun at `at`: its length is known now. */
export function endMessage(writer: WireWriter, at: number): void {
  setU32(writer, at, writer.offset - at - 4)
}

/** Takes back the message begun at `at`, zeroing what was written of it. */
export function abandonMessage(writer: WireWriter, at: number): void {
  writer.bytes.fill(0, at, writer.offset)
  writer.offset = at
}
