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
  /** Sets a mark until the end of a day (days since 1970), or of a later one that it has already. Returns false where there is no room for another one. */
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

// A slot: name, `u16` last day (0: the slot is free), `u128` value; all little-endian, as the processors that this runs on.
const slotWords = markBytes / 4
const wordMax = 0xffff_ffff_ffff_ffffn
/** The largest value; more is kept as this. */
export const markMax: bigint = (1n << 128n) - 1n

/**
 * A hash table of marks, 32 bytes each, outside the JavaScript heap. Names must be evenly distributed (keyed hashes). It doubles when it
 * is seven tenths full of marks whose last day is not over; those that have ended are dropped then. `slotsMin` and `slotsMax` are powers of two.
 */
export function markTable({ slotsMin = 1 << 10, slotsMax = 1 << 24, today }: MarkTableInput): MarkTable {
  const probe = new Uint32Array(4)
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

  /** Where the mark of `probe` may be written; undefined where there is no room for it. */
  function placeOf(): number | undefined {
    const at = find(slots, probe)
    if (!isFree(slots, at)) return at
    return makeRoom() ? find(slots, probe) : undefined
  }

  return {
    size: () => slots.used,
    get(name) {
      readName(name, probe)
      const at = find(slots, probe)
      return isFree(slots, at) ? 0n : readValue(slots, at)
    },
    set(name, value, lastDay) {
      readName(name, probe)
      const at = placeOf()
      if (at === undefined) return false
      write(slots, at, { name: probe, value: value > markMax ? markMax : value, lastDay })
      slots.changed.add(at)
      return true
    },
    changed: () => slots.changed.size,
    takeChanged: (max) => takeChanged(slots, max),
    scan: (from, max) => scan(slots, { from, max, day: today() }),
    generation: () => generation,
    put: (marks) =>
      eachLive(wordsOf(marks), today(), (words, from) => {
        probe.set(words.subarray(from, from + 4))
        const at = placeOf()
        if (at !== undefined) copySlot(slots, at, words, from)
        return at !== undefined
      }),
    clear() {
      exchange(emptySlots(slotsMin))
    },
  }
}

/** `changed` has the places of marks that were set since they were last taken. A place is the index of a slot's first word. */
type Slots = {
  readonly count: number
  readonly words: Uint32Array
  readonly changed: Set<number>
  used: number
}

// Memory that nobody used before, and that is not counted to the heap.
const emptySlots = (count: number): Slots => ({
  count,
  words: new Uint32Array(new ArrayBuffer(count * markBytes)),
  changed: new Set(),
  used: 0,
})

/** The words of whole marks, copied: bytes that came over the wire stand anywhere. */
const wordsOf = (marks: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(marks).buffer)

/** Visits the marks whose last day is not over until one visit returns false, and says whether none did. */
function eachLive(
  words: Uint32Array,
  day: number,
  visit: (words: Uint32Array, at: number) => boolean,
): boolean {
  for (let at = 0; at < words.length; at += slotWords)
    if (lastDayAt(words, at) >= day && !visit(words, at)) return false
  return true
}

const word = (words: Uint32Array, at: number): number => words[at] ?? 0
const lastDayAt = (words: Uint32Array, at: number): number => word(words, at + 3) >>> 16
const isFree = ({ words }: Slots, at: number): boolean => lastDayAt(words, at) === 0

/** The 14 bytes of a name as words; the upper half of the last one is zero. */
function readName(name: Uint8Array, into: Uint32Array): void {
  const { buffer, byteOffset } = name
  const view = new DataView(buffer, byteOffset, nameBytes)
  for (let i = 0; i < 3; i++) into[i] = view.getUint32(i * 4, true)
  into[3] = view.getUint16(12, true)
}

// Tables of different sizes have different orders: marks that come in the order of another table do not pile up in this one.
const multiplierOf = (count: number): number => Math.imul(0x9e37_79b1, 2 * Math.clz32(count) + 1) | 1

/** Where a name is, or the free slot where it would be. Of the last word of `name`, the lower half counts. */
function find({ words, count }: Slots, name: Uint32Array): number {
  const last = word(name, 3) & 0xffff
  const wordMask = count * slotWords - 1
  let at = (Math.imul(word(name, 0), multiplierOf(count)) >>> (Math.clz32(count) + 1)) * slotWords
  for (let step = 0; step < count; step++) {
    const found = word(words, at + 3)
    if (found >>> 16 === 0) return at
    const isSame =
      (found & 0xffff) === last &&
      words[at] === name[0] &&
      words[at + 1] === name[1] &&
      words[at + 2] === name[2]
    if (isSame) return at
    at = (at + slotWords) & wordMask
  }
  throw new Error('A table of marks has no free slot.')
}

function readValue({ words }: Slots, at: number): bigint {
  const [low, high] = new BigUint64Array(words.slice(at + 4, at + 8).buffer)
  return (low ?? 0n) | ((high ?? 0n) << 64n)
}

function write(slots: Slots, at: number, mark: { name: Uint32Array; value: bigint; lastDay: number }): void {
  if (isFree(slots, at)) slots.used += 1
  const { words } = slots
  for (let i = 0; i < 3; i++) words[at + i] = word(mark.name, i)
  // Who says a second time what a mark is for, and that it ends earlier, does not end what was said before. A free slot has day 0.
  const lastDay = Math.max(mark.lastDay, lastDayAt(words, at))
  words[at + 3] = (word(mark.name, 3) & 0xffff) | (lastDay << 16)
  words.set(new Uint32Array(BigUint64Array.of(mark.value & wordMax, mark.value >> 64n).buffer), at + 4)
}

function copySlot(slots: Slots, at: number, from: Uint32Array, fromAt: number): void {
  if (isFree(slots, at)) slots.used += 1
  for (let i = 0; i < slotWords; i++) slots.words[at + i] = word(from, fromAt + i)
}

/** The marks at these places, as bytes. */
function marksAt({ words }: Slots, places: readonly number[]): Buffer {
  const marks = new Uint32Array(places.length * slotWords)
  for (const [i, at] of places.entries()) marks.set(words.subarray(at, at + slotWords), i * slotWords)
  return Buffer.from(marks.buffer)
}

function takeChanged(slots: Slots, max: number): Buffer {
  const taken: number[] = []
  for (const at of slots.changed) {
    if (taken.length >= max) break
    taken.push(at)
    slots.changed.delete(at)
  }
  return marksAt(slots, taken)
}

type Span = { from: number; max: number; day: number }

function scan(slots: Slots, { from, max, day }: Span): { marks: Buffer; next: number | null } {
  const places: number[] = []
  for (let at = from; at < slots.words.length; at += slotWords) {
    if (!isLive(slots, at, day)) continue
    if (places.length >= max) return { marks: marksAt(slots, places), next: at }
    places.push(at)
  }
  return { marks: marksAt(slots, places), next: null }
}

function isLive({ words }: Slots, at: number, day: number): boolean {
  const lastDay = lastDayAt(words, at)
  return lastDay !== 0 && lastDay >= day
}

function liveSlots(slots: Slots, day: number): number {
  let live = 0
  for (let at = 0; at < slots.words.length; at += slotWords) if (isLive(slots, at, day)) live += 1
  return live
}

function copyLive(from: Slots, to: Slots, day: number): Slots {
  const name = new Uint32Array(4)
  for (let at = 0; at < from.words.length; at += slotWords) {
    if (!isLive(from, at, day)) continue
    for (let i = 0; i < 4; i++) name[i] = word(from.words, at + i)
    const place = find(to, name)
    copySlot(to, place, from.words, at)
    if (from.changed.has(at)) to.changed.add(place)
  }
  return to
}
