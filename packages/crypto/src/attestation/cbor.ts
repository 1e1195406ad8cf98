import { AttestationError } from './attestation-error.ts'

/** A map of CBOR. It stays a map, so that no key becomes a prototype. */
export type CborMap = ReadonlyMap<number | string, CborValue>

/** What the CBOR of an attestation document can hold. */
export type CborValue = number | string | Uint8Array | null | readonly CborValue[] | CborMap

type Reader = { readonly bytes: Uint8Array; readonly where: string; offset: number }

const depthMax = 4
const openMapStart = 0xbf
const openMapEnd = 0xff
const nullByte = 0xf6
/** For the heads of 1, 2, 4 and 8 more bytes: the least value that needs as many. */
const leastByLength = [24, 0x100, 0x1_0000, 0x1_0000_0000] as const

const malformed = ({ where, offset }: Reader, reason: string): AttestationError =>
  new AttestationError('cbor', `${where}: ${reason} at byte ${offset}`)

/**
 * Reads exactly one item by the strict rules of RFC 8949 section 4.2.1 (shortest forms, definite lengths, no key twice): numbers
 * that a double holds, bytes, UTF-8 texts, null, arrays, maps. Nothing else is read: no tags, floats or booleans. Only with
 * `isOpenMapAllowed` may the outermost map have no length, as in documents that AWS makes since 2025. Throws `AttestationError`.
 */
export function readCbor(bytes: Uint8Array, where: string, isOpenMapAllowed = false): CborValue {
  const reader: Reader = { bytes, where, offset: 0 }
  const value = isOpenMapAllowed && bytes[0] === openMapStart ? openMap(reader) : item(reader, 0)
  if (reader.offset !== bytes.length) throw malformed(reader, 'bytes after the end')
  return value
}

function item(reader: Reader, depth: number): CborValue {
  if (depth > depthMax) throw malformed(reader, 'too deep')
  const first = reader.bytes[reader.offset]
  if (first === undefined) throw malformed(reader, 'end')
  if (first === nullByte) {
    reader.offset += 1
    return null
  }
  const kind = first >> 5
  const value = head(reader, first & 0x1f)
  if (kind === 0) return value
  if (kind === 1) return -1 - value
  if (kind === 2) return taken(reader, value)
  if (kind === 3) return text(reader, value)
  if (kind === 4) return Array.from({ length: counted(reader, value) }, () => item(reader, depth + 1))
  if (kind === 5) return definiteMap(reader, counted(reader, value), depth)
  throw malformed(reader, 'a type that documents do not have')
}

/** The number in an item's head: its value, length or count. */
function head(reader: Reader, info: number): number {
  reader.offset += 1
  if (info < 24) return info
  const least = leastByLength[info - 24]
  if (least === undefined) throw malformed(reader, 'no length')
  const value = taken(reader, 2 ** (info - 24)).reduce((sum, byte) => sum * 256 + byte, 0)
  if (value < least || !Number.isSafeInteger(value)) throw malformed(reader, 'a number in another form')
  return value
}

function taken(reader: Reader, count: number): Uint8Array {
  const end = reader.offset + count
  if (end > reader.bytes.length) throw malformed(reader, 'end')
  const bytes = reader.bytes.subarray(reader.offset, end)
  reader.offset = end
  return bytes
}

function text(reader: Reader, count: number): string {
  const bytes = taken(reader, count)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw malformed(reader, 'a text that is not UTF-8')
  }
}

/** Each element has at least one byte, so that no count makes more work than there are bytes. */
function counted(reader: Reader, count: number): number {
  if (count > reader.bytes.length - reader.offset) throw malformed(reader, 'end')
  return count
}

function definiteMap(reader: Reader, count: number, depth: number): CborMap {
  const map = new Map<number | string, CborValue>()
  for (let i = 0; i < count; i++) entry(reader, map, depth)
  return map
}

function openMap(reader: Reader): CborMap {
  const map = new Map<number | string, CborValue>()
  reader.offset += 1
  while (reader.bytes[reader.offset] !== openMapEnd) entry(reader, map, 0)
  reader.offset += 1
  return map
}

function entry(reader: Reader, map: Map<number | string, CborValue>, depth: number): void {
  const key = item(reader, depth + 1)
  if (typeof key !== 'number' && typeof key !== 'string') throw malformed(reader, 'a key of another type')
  if (map.has(key)) throw malformed(reader, 'a key twice')
  map.set(key, item(reader, depth + 1))
}
