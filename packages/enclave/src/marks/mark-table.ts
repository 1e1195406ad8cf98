/** Length of a mark's name, in bytes. */
export const nameBytes = 14

/** The last day of a mark that never ends. */
export const neverEnds = 0xffff

/** Numbers of 128 bits by their 14-byte names. */
export type MarkTable = {
  /** How many marks there are, those included whose last day is over. */
  size(): number
  /** The value of a mark; 0n where there is none. */
  get(name: Uint8Array): bigint
  /** Sets a mark until the end of a day (days since 1970). Returns false where there is no room for another one. */
  set(name: Uint8Array, value: bigint, lastDay: number): boolean
}

/** Bounds of a table, in marks, and its clock: days since 1970. */
export type MarkTableInput = { slotsMin?: number; slotsMax?: number; today: () => number }

// A slot: name, `u16` last day (0: the slot is free), `u128` value, both little-endian.
const slotBytes = 32
const dayAt = nameBytes
const valueAt = 16
const wordMax = 0xffff_ffff_ffff_ffffn
/** The largest value; more is kept as this. */
export const markMax: bigint = (1n << 128n) - 1n

/**
 * A hash table of marks, 32 bytes each, outside the JavaScript heap. Names must be evenly distributed (keyed hashes). It doubles when it
 * is seven tenths full of marks whose last day is not over; those that have ended are dropped then.
 */
export function markTable({ slotsMin = 1 << 10, slotsMax = 1 << 24, today }: MarkTableInput): MarkTable {
  let slots = emptySlots(slotsMin)

  function makeRoom(): boolean {
    if (slots.used * 10 < slots.count * 7) return true
    const day = today()
    const live = liveSlots(slots, day)
    const count = live * 2 < slots.count ? slots.count : slots.count * 2
    if (count > slotsMax) return false
    slots = copyLive(slots, emptySlots(count), day)
    return true
  }

  return {
    size: () => slots.used,
    get(name) {
      const at = find(slots, name)
      return isFree(slots, at) ? 0n : readValue(slots, at)
    },
    set(name, value, lastDay) {
      if (isFree(slots, find(slots, name)) && !makeRoom()) return false
      write(slots, name, value > markMax ? markMax : value, lastDay)
      return true
    },
  }
}

type Slots = { readonly count: number; readonly bytes: Buffer; used: number }

// Memory that nobody used before, and that is not counted to the heap.
const emptySlots = (count: number): Slots => ({
  count,
  bytes: Buffer.from(new ArrayBuffer(count * slotBytes)),
  used: 0,
})

const isFree = ({ bytes }: Slots, at: number): boolean => bytes.readUInt16LE(at + dayAt) === 0

/** Where a name is, or the free slot where it would be. */
function find({ bytes, count }: Slots, name: Uint8Array): number {
  const first = Buffer.from(name.buffer, name.byteOffset, nameBytes).readUInt32LE(0) % count
  for (let step = 0; step < count; step++) {
    const at = ((first + step) % count) * slotBytes
    if (bytes.readUInt16LE(at + dayAt) === 0 || bytes.compare(name, 0, nameBytes, at, at + nameBytes) === 0)
      return at
  }
  throw new Error('A table of marks has no free slot.')
}

const readValue = ({ bytes }: Slots, at: number): bigint =>
  bytes.readBigUInt64LE(at + valueAt) | (bytes.readBigUInt64LE(at + valueAt + 8) << 64n)

function write(slots: Slots, name: Uint8Array, value: bigint, lastDay: number): void {
  const at = find(slots, name)
  const { bytes } = slots
  if (isFree(slots, at)) slots.used += 1
  bytes.set(name, at)
  bytes.writeUInt16LE(lastDay, at + dayAt)
  bytes.writeBigUInt64LE(value & wordMax, at + valueAt)
  bytes.writeBigUInt64LE(value >> 64n, at + valueAt + 8)
}

function* liveAt({ bytes, count }: Slots, day: number): Generator<number> {
  for (let at = 0; at < count * slotBytes; at += slotBytes)
    if (bytes.readUInt16LE(at + dayAt) >= day) yield at
}

function liveSlots(slots: Slots, day: number): number {
  let live = 0
  for (const _ of liveAt(slots, day)) live += 1
  return live
}

function copyLive(from: Slots, to: Slots, day: number): Slots {
  for (const at of liveAt(from, day)) {
    const name = from.bytes.subarray(at, at + nameBytes)
    write(to, name, readValue(from, at), from.bytes.readUInt16LE(at + dayAt))
  }
  return to
}
