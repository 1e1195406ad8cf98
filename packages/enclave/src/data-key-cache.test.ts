import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { dataKeyCache } from './data-key-cache.ts'

const envelope = (fill: number) => new Uint8Array(170).fill(fill)
const headerEnd = 100
const row = (): Uint8Array => Uint8Array.from(randomBytes(36))
const flipped = (bytes: Uint8Array, at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 1)

function make(entriesMax: number) {
  let now = 0
  let unwraps = 0
  const cache = dataKeyCache(entriesMax, 1_000, () => now)
  const get = (bytes: Uint8Array, ofRow: Uint8Array, fill = 7) =>
    cache.get(ofRow, bytes, headerEnd, () => {
      unwraps += 1
      return new Uint8Array(32).fill(fill)
    })
  return { cache, get, later: (ms: number) => (now += ms), unwraps: () => unwraps }
}

test('a held key is not unwrapped again, and only its own row and header find it', () => {
  const { get, unwraps } = make(400)
  const mine = row()
  expect([...get(envelope(1), mine)]).toEqual(Array(32).fill(7))
  get(envelope(1), mine)
  get(flipped(envelope(1), headerEnd), mine)
  expect(unwraps()).toBe(1)
  for (let at = 0; at < headerEnd; at++) get(flipped(envelope(1), at), mine)
  for (let at = 0; at < mine.length; at++) get(envelope(1), flipped(mine, at))
  expect(unwraps()).toBe(1 + headerEnd + mine.length)
})

test('a header longer than any before it is named whole', () => {
  const { cache } = make(4)
  const long = new Uint8Array(7_000)
  const mine = row()
  const get = (bytes: Uint8Array, fill: number) =>
    cache.get(mine, bytes, bytes.length, () => new Uint8Array(32).fill(fill))[0]
  expect(get(long, 1)).toBe(1)
  expect(get(flipped(long, 6_999), 2)).toBe(2)
  expect(get(long, 3)).toBe(1)
})

test('it never holds more than its bound; the least recently used key goes and is zeroed', () => {
  const { cache, get, unwraps } = make(2)
  const rows = [row(), row(), row()] as const
  const first = get(envelope(1), rows[0])
  const second = get(envelope(2), rows[1])
  get(envelope(1), rows[0])
  get(envelope(3), rows[2], 9)
  expect(cache.size()).toBe(2)
  expect([...second]).toEqual(Array(32).fill(9))
  expect([...first]).toEqual(Array(32).fill(7))
  expect(unwraps()).toBe(3)
})

test('a key is not used past its lifetime, and the sweep zeroes it', () => {
  const { cache, get, later, unwraps } = make(4)
  const mine = row()
  const view = get(envelope(1), mine)
  later(999)
  get(envelope(1), mine)
  expect(unwraps()).toBe(1)
  later(1)
  cache.sweep()
  expect(cache.size()).toBe(0)
  expect(view.every((byte) => byte === 0)).toBe(true)
  get(envelope(1), mine)
  later(1_000)
  get(envelope(1), mine)
  expect(unwraps()).toBe(3)
})

test('clearing zeroes every key', () => {
  const { cache, get } = make(4)
  const views = [1, 2, 3].map((fill) => get(envelope(fill), row()))
  cache.clear()
  expect(cache.size()).toBe(0)
  expect(views.every((view) => view.every((byte) => byte === 0))).toBe(true)
})

test('an unwrapped key is wiped, and a failed unwrapping keeps nothing', () => {
  const { cache } = make(4)
  const fresh = new Uint8Array(32).fill(5)
  cache.get(row(), envelope(1), headerEnd, () => fresh)
  expect(fresh.every((byte) => byte === 0)).toBe(true)
  expect(() =>
    cache.get(row(), envelope(2), headerEnd, () => {
      throw new Error('unwrap')
    }),
  ).toThrow('unwrap')
  expect(cache.size()).toBe(1)
})
