import { invalidPayload } from '../network-error.ts'
import { join } from './concat.ts'

/** A byte string or a list of items (Yellow Paper, appendix B). */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** Deeper lists than any transaction has; the vectors of Ethereum nest 8. */
const depthMax = 32

const noBytes = new Uint8Array(0)
/** The heads of short items, by their first byte. */
const shortHeads = Array.from({ length: 0x100 }, (_, first) => Uint8Array.of(first))

/** The one RLP encoding of an item. */
export function encodeRlp(item: RlpItem): Uint8Array {
  const parts: Uint8Array[] = []
  pushItem(parts, item)
  return join(parts)
}

/** Adds the parts of an item's encoding and returns how long they are together. */
function pushItem(parts: Uint8Array[], item: RlpItem): number {
  if (item instanceof Uint8Array) {
    const { length } = item
    if (length === 1 && (item[0] ?? 0) < 0x80) {
      parts.push(item)
      return 1
    }
    const start = head(0x80, length)
    parts.push(start, item)
    return start.length + length
  }
  const at = parts.push(noBytes) - 1
  let length = 0
  for (const each of item) length += pushItem(parts, each)
  const start = head(0xc0, length)
  parts[at] = start
  return start.length + length
}

/**
 * The item whose encoding the bytes are; its byte strings are views of them.
 * Trailing bytes, a length in a longer form than needed or more than 32 levels are `invalid_payload`.
 */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const { item, end } = itemAt(bytes, 0, bytes.length, 0)
  if (end !== bytes.length) throw invalidPayload('The RLP has trailing bytes.')
  return item
}

function itemAt(bytes: Uint8Array, at: number, limit: number, depth: number): { item: RlpItem; end: number } {
  if (at >= limit) throw invalidPayload('The RLP ends too early.')
  const first = bytes[at] ?? 0
  if (first < 0x80) return { item: bytes.subarray(at, at + 1), end: at + 1 }
  const isList = first >= 0xc0
  const { start, end } = span(bytes, at, limit, isList ? first - 0xc0 : first - 0x80)
  if (isList) return { item: itemsBetween(bytes, start, end, depth + 1), end }
  if (end - start === 1 && (bytes[start] ?? 0) < 0x80) throw invalidPayload('The RLP is not canonical.')
  return { item: bytes.subarray(start, end), end }
}

function itemsBetween(bytes: Uint8Array, start: number, end: number, depth: number): RlpItem[] {
  if (depth > depthMax) throw invalidPayload('The RLP is nested too deeply.')
  const items: RlpItem[] = []
  let at = start
  while (at < end) {
    const next = itemAt(bytes, at, end, depth)
    items.push(next.item)
    at = next.end
  }
  return items
}

/** The payload of an item whose first byte, less its offset, is `code`: up to 55 the length, else length of length. */
function span(bytes: Uint8Array, at: number, limit: number, code: number): { start: number; end: number } {
  let length = code
  let start = at + 1
  if (code > 55) {
    const size = code - 55
    if (size > 4 || bytes[start] === 0) throw invalidPayload('The RLP is not canonical.')
    length = 0
    for (let index = 0; index < size; index++) length = length * 256 + (bytes[start + index] ?? 0)
    start += size
    if (length <= 55) throw invalidPayload('The RLP is not canonical.')
  }
  if (start + length > limit) throw invalidPayload('The RLP ends too early.')
  return { start, end: start + length }
}

function head(offset: number, length: number): Uint8Array {
  if (length <= 55) return shortHeads[offset + length] ?? noBytes
  const size = length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4
  const bytes = new Uint8Array(1 + size)
  bytes[0] = offset + 55 + size
  for (let index = 0; index < size; index++) bytes[size - index] = (length >>> (8 * index)) & 0xff
  return bytes
}
