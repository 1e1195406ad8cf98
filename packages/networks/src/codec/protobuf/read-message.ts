import { invalidPayload } from '../../network-error.ts'
import { decodeUtf8 } from '../utf8.ts'
import type { ProtoField, ProtoSchema } from './proto-type.ts'

type Cursor = { readonly bytes: Uint8Array; at: number }
/** A complete read: the message, and whether some field was not in its schema. */
type Reading = { hasUnknown: boolean }

/**
 * A message of the one encoding its fields have (ADR-027 of the Cosmos SDK): fields ascending, single ones once and
 * never with their default value, shortest varints, known wire types. Anything else, and any field that is not in the
 * schema, is `invalid_payload`. Byte strings are views of `bytes`.
 */
export function readMessage<message>(bytes: Uint8Array, schema: ProtoSchema<message>): message {
  const { message, isWhole } = readPartly(bytes, schema)
  if (!isWhole) throw invalidPayload('The payload has a field of unknown meaning.')
  return message
}

/** As `readMessage`, where well-formed fields that are not in the schema are left out; `isWhole`: there are none. */
export function readPartly<message>(
  bytes: Uint8Array,
  schema: ProtoSchema<message>,
): { message: message; isWhole: boolean } {
  const reading = { hasUnknown: false }
  const message = read(bytes, schema, reading) as message
  return { message, isWhole: !reading.hasUnknown }
}

function read(bytes: Uint8Array, { fields, byNumber }: ProtoSchema<unknown>, reading: Reading): unknown {
  const message: Record<string, unknown> = {}
  for (const { name, absent } of fields) message[name] = absent
  const cursor: Cursor = { bytes, at: 0 }
  let last = 0
  while (cursor.at < bytes.length) {
    const tag = readSmall(cursor)
    const number = tag >>> 3
    const field = byNumber.get(number)
    if (number < Math.max(last, 1) || (number === last && !field?.isList && field !== undefined))
      throw invalidPayload('The fields of the payload are not in order.')
    last = number
    if (field === undefined) {
      skip(cursor, tag & 7)
      reading.hasUnknown = true
      continue
    }
    const value = readValue(cursor, tag & 7, field, reading)
    if (!field.isList) message[field.name] = value
    else if (message[field.name] === field.absent) message[field.name] = [value]
    else append(message[field.name] as unknown[], value, field)
  }
  return message
}

function append(items: unknown[], value: unknown, { itemsMax }: ProtoField): void {
  if (itemsMax !== undefined && items.length >= itemsMax)
    throw invalidPayload(`A list of the payload has more than ${itemsMax} items.`)
  items.push(value)
}

function readValue(cursor: Cursor, wire: number, field: ProtoField, reading: Reading): unknown {
  const { kind, schema, isList } = field
  const isBytes = kind === 'text' || kind === 'bytes' || kind === 'message'
  if (wire !== (isBytes ? 2 : 0)) throw invalidPayload('A field of the payload has another type.')
  if (!isBytes) return readNumber(cursor, kind)
  const value = readBytes(cursor)
  if (kind === 'message') return schema === undefined ? value : read(value, schema, reading)
  if (value.length === 0 && !isList) throw notCanonical()
  if (kind === 'bytes') return value
  const text = decodeUtf8(value)
  if (text === undefined) throw invalidPayload('A text of the payload is not UTF-8.')
  return text
}

/** Largest values: those of the signed kinds are not negative. */
const maxima = { u64: 2n ** 64n - 1n, i64: 2n ** 63n - 1n, u32: 2n ** 31n - 1n, bool: 1n }

function readNumber(cursor: Cursor, kind: ProtoField['kind']): bigint | boolean {
  const value = readVarint(cursor)
  if (value === 0n) throw notCanonical()
  if (value > maxima[kind as keyof typeof maxima])
    throw invalidPayload('A number of the payload is out of range.')
  return kind === 'bool' ? true : value
}

function skip(cursor: Cursor, wire: number): void {
  if (wire === 0) readVarint(cursor)
  else if (wire === 1) take(cursor, 8)
  else if (wire === 2) readBytes(cursor)
  else if (wire === 5) take(cursor, 4)
  else throw invalidPayload('A field of the payload has an unknown type.')
}

function readBytes(cursor: Cursor): Uint8Array {
  const length = readSmall(cursor)
  const start = take(cursor, length)
  return cursor.bytes.subarray(start, start + length)
}

/** A varint below 2^32: a tag or a length. */
function readSmall(cursor: Cursor): number {
  const first = cursor.bytes[cursor.at] ?? 0x80
  if (first < 0x80) {
    cursor.at++
    return first
  }
  const value = readVarint(cursor)
  if (value >= 2n ** 32n) throw invalidPayload('A length of the payload is out of range.')
  return Number(value)
}

function readVarint(cursor: Cursor): bigint {
  const first = cursor.bytes[take(cursor, 1)] ?? 0
  if (first < 0x80) return BigInt(first)
  let value = BigInt(first & 0x7f)
  for (let shift = 7n; shift < 70n; shift += 7n) {
    const byte = cursor.bytes[take(cursor, 1)] ?? 0
    value |= BigInt(byte & 0x7f) << shift
    if (byte >= 0x80) continue
    if (byte === 0 || value >= 2n ** 64n) throw notCanonical()
    return value
  }
  throw notCanonical()
}

function take(cursor: Cursor, length: number): number {
  const start = cursor.at
  if (length > cursor.bytes.length - start) throw invalidPayload('The payload ends too early.')
  cursor.at = start + length
  return start
}

function notCanonical(): Error {
  return invalidPayload('The payload is not in its canonical encoding.')
}
