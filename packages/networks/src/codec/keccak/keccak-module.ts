/** Where the module's memory has the blocks to absorb, and the round constants; the state is at 0. */
export const inputAt = 1_024
/** See `inputAt`. */
export const roundsAt = 256

const rate = 136
const rounds = 24
const i32 = 0x7f
const i64 = 0x7e
const end = 0x0b
const xor = 0x85
const and = 0x83
const rotl = 0x89

// The locals of `absorb`: its argument, two pointers, the 25 lanes, their columns, and the lanes while they change places.
const [blocks, input, round] = [0, 1, 2] as const
const lane = (index: number): number => 3 + index
const column = (x: number): number => 28 + (x % 5)
const moved = (index: number): number => 33 + index
const indexes: readonly number[] = Array.from({ length: 25 }, (_, index) => index)

/**
 * The bytes of a WebAssembly module with one page of `memory` and one function, `absorb(blocks)`, which absorbs so many blocks of 136 bytes
 * into the state, with keccak-f[1600] after each (FIPS 202, sections 3.2 and 3.3). JavaScript has no integers of 64 bits that are not
 * BigInts: there the permutation takes several times as long.
 */
export function keccakModule(): Uint8Array<ArrayBuffer> {
  const locals = [2, ...[2, i32], ...[55, i64]]
  const body = [...locals, ...absorb(), end]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(0x01, [0x60, 1, i32, 0]),
    ...section(0x03, [0]),
    ...section(0x05, [1, 1, 1]),
    ...sectionOf(0x07, 2, [...name('memory'), 2, 0, ...name('absorb'), 0, 0]),
    ...section(0x0a, [...leb(body.length), ...body]),
  ])
}

function absorb(): number[] {
  return [
    ...indexes.flatMap((index) => [...number32(0), ...load(8 * index), ...set(lane(index))]),
    ...number32(inputAt),
    ...set(input),
    ...loop(
      [
        ...indexes
          .slice(0, rate / 8)
          .flatMap((index) => [
            ...get(lane(index)),
            ...get(input),
            ...load(8 * index),
            xor,
            ...set(lane(index)),
          ]),
        ...add(input, rate),
        ...number32(roundsAt),
        ...set(round),
        ...loop([...permuteOnce(), ...add(round, 8)], round, roundsAt + 8 * rounds),
        ...add(blocks, -1),
      ],
      blocks,
      0,
    ),
    ...indexes.flatMap((index) => [...number32(0), ...get(lane(index)), ...store(8 * index)]),
  ]
}

/** The steps theta, rho with pi, chi and iota of one round. */
function permuteOnce(): number[] {
  const turns = rotations()
  const theta = [
    ...[0, 1, 2, 3, 4].flatMap((x) => [
      ...get(lane(x)),
      ...[5, 10, 15, 20].flatMap((y) => [...get(lane(x + y)), xor]),
      ...set(column(x)),
    ]),
    ...indexes.flatMap((index) => {
      const x = index % 5
      return [
        ...get(lane(index)),
        ...get(column(x + 4)),
        xor,
        ...get(column(x + 1)),
        ...number64(1),
        rotl,
        xor,
        // Rho and pi at once: the lane goes on, turned, to its next place.
        ...number64(turns[index] ?? 0),
        rotl,
        ...set(moved(nextPlace(index))),
      ]
    }),
  ]
  const chi = indexes.flatMap((index) => {
    const y = index - (index % 5)
    const right = (by: number) => get(moved(y + ((index + by) % 5)))
    return [
      ...right(0),
      ...right(1),
      ...number64(-1),
      xor,
      ...right(2),
      and,
      xor,
      ...(index === 0 ? [...get(round), ...load(0), xor] : []),
      ...set(lane(index)),
    ]
  })
  return [...theta, ...chi]
}

/** Where pi moves the lane (x, y), which is at x + 5y: to (y, 2x + 3y). */
function nextPlace(index: number): number {
  const x = index % 5
  const y = (index - x) / 5
  return y + 5 * ((2 * x + 3 * y) % 5)
}

/** The turns of rho, by lane. */
function rotations(): number[] {
  const turns = new Array<number>(25).fill(0)
  let index = 1
  for (let t = 0; t < 24; t++) {
    turns[index] = (((t + 1) * (t + 2)) / 2) % 64
    index = nextPlace(index)
  }
  return turns
}

/** The 24 constants of iota, from their shift register. */
export function roundConstants(): BigUint64Array<ArrayBuffer> {
  const constants = new BigUint64Array(rounds)
  let register = 1
  for (let at = 0; at < rounds; at++) {
    for (let j = 0; j < 7; j++) {
      if (register & 1) constants[at] = (constants[at] ?? 0n) ^ (1n << ((1n << BigInt(j)) - 1n))
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0)
    }
  }
  return constants
}

const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const load = (offset: number): number[] => [0x29, 3, ...leb(offset)]
const store = (offset: number): number[] => [0x37, 3, ...leb(offset)]
const number32 = (value: number): number[] => [0x41, ...signedLeb(value)]
const number64 = (value: number): number[] => [0x42, ...signedLeb(value)]
const add = (local: number, value: number): number[] => [
  ...get(local),
  ...number32(value),
  0x6a,
  ...set(local),
]

/** A loop that ends once a local is `last`. */
const loop = (body: readonly number[], local: number, last: number): number[] => [
  ...[0x03, 0x40],
  ...body,
  ...get(local),
  ...number32(last),
  ...[0x47, 0x0d, 0],
  end,
]

const section = (id: number, item: readonly number[]): number[] => sectionOf(id, 1, item)
const sectionOf = (id: number, count: number, items: readonly number[]): number[] => [
  id,
  ...leb(items.length + 1),
  count,
  ...items,
]
const name = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)]

function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)]
}

function signedLeb(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signedLeb(value >> 7)]
}
