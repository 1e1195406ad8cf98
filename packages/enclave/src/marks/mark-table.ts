/** Length of a mark's name, in bytes. */
export const nameBytes = 14

/** The last day of a mark that never ends. */
export const neverEnds = 0xffff

/** Numbers of 128 bits by their 14-byte names. Marks leave and enter it as slots of `markBytes`, one behind the other. */
export type MarkTable = {
  /** How many marks there are, those included whose last day is over. */
  size(): number
  /** The value of a mark; 0n where there is none. */
  get(name: Uint8Array): bigint
  /** Sets a mark until the end of a day (days since 1970). Returns false where there is no room for another one. */
  set(name: Uint8Array, value: bigint, lastDay: number): boolean
  /** How many marks were set since they were last taken. */
  changed(): number
  /** Takes at most `max` of those. */
  takeChanged(max: number): Buffer
  /**
   * At most `max` marks whose last day is not over, from a place on, and the place to go on from: null at the end. Places hold until `generation`
   * changes.
   */
  scan(from: number, max: number): { marks: Buffer; next: number | null }
  /** Rises whenever marks change their places. */
  generation(): number
  /** Sets marks that were taken or scanned before, here or elsewhere; they do not count as changed. False where there is no room. */
  put(marks: Uint8Array): boolean
  clear(): void
}

/** Bounds of a table, in marks, and its clock: days since 1970. */
export type MarkTableInput = { slotsMin?: number; slotsMax?: number; today: () => number }

/** Length of a mark, in bytes. */
export const markBytes = 32

// A slot: name, `u16` last day (0: the slot is free), `u128` value, both little-endian.
const slotBytes = markBytes
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
  let generation = 0

  function exchange(next: Slots): void {
    slots = next
    generation += 1
  }

  function makeRoom(): boolean {
    if (slots.used * 10 < slots.count * 7) return true
    const day = today()
    const live = liveSlots(slots, day)
    const count = live * 2 < slots.count ? slots.count : slots.count * 2
    if (count > slotsMax) return false
    exchange(copyLive(slots, emptySlots(count), day))
    return true
  }

  /** Where a mark may be written; undefined where there is no room for it. */
  function placeOf(name: Uint8Array): number | undefined {
    const at = find(slots, name)
    if (!isFree(slots, at)) return at
    return makeRoom() ? find(slots, name) : undefined
  }

  return {
    size: () => slots.used,
    get(name) {
      const at = find(slots, name)
      return isFree(slots, at) ? 0n : readValue(slots, at)
    },
    set(name, value, lastDay) {
      const at = placeOf(name)
      if (at === undefined) return false
      write(slots, at, { name, value: value > markMax ? markMax : value, lastDay })
      slots.changed.add(at)
      return true
    },
    changed: () => slots.changed.size,
    takeChanged: (max) => takeChanged(slots, max),
    scan: (from, max) => scan(slots, { from, max, day: today() }),
    generation: () => generation,
    put(marks) {
      const day = today()
      return eachSlot(marks, (slot) => {
        if (slot.readUInt16LE(dayAt) < day) return true
        const at = placeOf(slot.subarray(0, nameBytes))
        if (at !== undefined) copySlot(slots, at, slot)
        return at !== undefined
      })
    },
    clear() {
      exchange(emptySlots(slotsMin))
    },
  }
}

/** `changed` has the places of marks that were set since they were last taken. */
type Slots = { readonly count: number; readonly bytes: Buffer; readonly changed: Set<number>; used: number }

// Memory that nobody used before, and that is not counted to the heap.
const emptySlots = (count: number): Slots => ({
  count,
  bytes: Buffer.from(new ArrayBuffer(count * slotBytes)),
  changed: new Set(),
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

function write(slots: Slots, at: number, mark: { name: Uint8Array; value: bigint; lastDay: number }): void {
  const { bytes } = slots
  if (isFree(slots, at)) slots.used += 1
  bytes.set(mark.name, at)
  bytes.writeUInt16LE(mark.lastDay, at + dayAt)
  bytes.writeBigUInt64LE(mark.value & wordMax, at + valueAt)
  bytes.writeBigUInt64LE(mark.value >> 64n, at + valueAt + 8)
}

function copySlot(slots: Slots, at: number, slot: Uint8Array): void {
  if (isFree(slots, at)) slots.used += 1
  slots.bytes.set(slot, at)
}

const slotAt = ({ bytes }: Slots, at: number): Buffer => bytes.subarray(at, at + slotBytes)

/** Visits each slot until one returns false, and says whether none did. */
function eachSlot(marks: Uint8Array, visit: (slot: Buffer) => boolean): boolean {
  const bytes = Buffer.from(marks.buffer, marks.byteOffset, marks.length)
  for (let at = 0; at + slotBytes <= bytes.length; at += slotBytes)
    if (!visit(bytes.subarray(at, at + slotBytes))) return false
  return true
}

function takeChanged(slots: Slots, max: number): Buffer {
  const taken: Buffer[] = []
  for (const at of slots.changed) {
    if (taken.length >= max) break
    taken.push(slotAt(slots, at))
    slots.changed.delete(at)
  }
  return Buffer.concat(taken)
}

type Span = { from: number; max: number; day: number }

function scan(slots: Slots, { from, max, day }: Span): { marks: Buffer; next: number | null } {
  const marks: Buffer[] = []
  for (const at of liveAt(slots, day, from)) {
    if (marks.length >= max) return { marks: Buffer.concat(marks), next: at }
    marks.push(slotAt(slots, at))
  }
  return { marks: Buffer.concat(marks), next: null }
}

function* liveAt({ bytes, count }: Slots, day: number, from = 0): Generator<number> {
  for (let at = from; at < count * slotBytes; at += slotBytes) {
    const lastDay = bytes.readUInt16LE(at + dayAt)
    if (lastDay !== 0 && lastDay >= day) yield at
  }
}

function liveSlots(slots: Slots, day: number): number {
  let live = 0
  for (const _ of liveAt(slots, day)) live += 1
  return live
}

function copyLive(from: Slots, to: Slots, day: number): Slots {
  for (const at of liveAt(from, day)) {
    const slot = slotAt(from, at)
    const place = find(to, slot.subarray(0, nameBytes))
    copySlot(to, place, slot)
    if (from.changed.has(at)) to.changed.add(place)
  }
  return to
}
