import { invalidPayload } from '../network-error.ts'

/** Reads XDR (RFC 4506) in order; what is not its own encoding is `invalid_payload`. */
export type XdrReader = {
  u32(): number
  i32(): number
  u64(): bigint
  i64(): bigint
  /** An i64 that is not negative. */
  amount(): bigint
  flag(): boolean
  /** The discriminant of a union or an enum with the values 0 to `count` - 1. */
  tag(count: number): number
  fixed(length: number): Uint8Array
  opaque(lengthMax?: number): Uint8Array
  option<item>(read: (reader: XdrReader) => item): item | undefined
  list<item>(lengthMax: number, read: (reader: XdrReader) => item): item[]
  /** Reads a value that can hold values of its own kind; too deep a nest is refused. */
  nested<item>(read: (reader: XdrReader) => item): item
  /** How many bytes have been read. */
  position(): number
  /** What was read since `start`. */
  since(start: number): Uint8Array
  end(): void
}

/** Contracts take no values nested deeper (DEFAULT_HOST_DEPTH_LIMIT of soroban-env). */
const depthMax = 100

/** A reader over `source`; the arrays it returns are views of it. */
export function xdrReader(source: Uint8Array): XdrReader {
  const { view, take, u32, fixed, position } = xdrBytes(source)
  let depth = 0

  /** The length of something that may have `lengthMax` at most. */
  function size(lengthMax: number, what: string): number {
    const length = u32()
    if (length > lengthMax) throw invalidPayload(`A ${what} of the transaction is too long.`)
    return length
  }

  const reader: XdrReader = {
    u32,
    i32: () => view.getInt32(take(4)),
    u64: () => view.getBigUint64(take(8)),
    i64: () => view.getBigInt64(take(8)),
    amount() {
      const value = reader.i64()
      if (value < 0n) throw invalidPayload('An amount is negative.')
      return value
    },
    flag: () => reader.tag(2) === 1,
    tag(count) {
      const value = u32()
      if (value >= count) throw invalidPayload('A part of the transaction is of an unknown kind.')
      return value
    },
    fixed,
    opaque: (lengthMax = source.length) => fixed(size(lengthMax, 'field')),
    option: (read) => (reader.flag() ? read(reader) : undefined),
    list(lengthMax, read) {
      // Every item takes four bytes or more.
      const length = size(Math.min(lengthMax, (source.length - position()) / 4 - 1), 'list')
      const items: ReturnType<typeof read>[] = []
      while (items.length < length) items.push(read(reader))
      return items
    },
    nested(read) {
      if (++depth > depthMax) throw invalidPayload('The transaction is nested too deeply.')
      const item = read(reader)
      depth--
      return item
    },
    position,
    since: (start) => source.subarray(start, position()),
    end() {
      if (position() !== source.length) throw invalidPayload('The transaction has trailing bytes.')
    },
  }
  return reader
}

/** The bytes of `source` from first to last: numbers, and fields with their padding. */
function xdrBytes(source: Uint8Array) {
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength)
  let offset = 0

  function take(length: number): number {
    const at = offset
    if (length > source.length - at) throw invalidPayload('The payload ends too early.')
    offset = at + length
    return at
  }

  function fixed(length: number): Uint8Array {
    const at = take(length)
    for (let left = (4 - (length % 4)) % 4; left > 0; left--) {
      if (source[take(1)] !== 0) throw invalidPayload('Padding of the transaction is not zero.')
    }
    return source.subarray(at, at + length)
  }

  return { view, take, fixed, u32: () => view.getUint32(take(4)), position: () => offset }
}
