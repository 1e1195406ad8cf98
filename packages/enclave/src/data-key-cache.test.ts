import { randomUUID } from 'node:crypto'
import type { EnvelopeContext } from '@symbolon/crypto/node'
import { expect, test } from 'vitest'
import { dataKeyCache } from './data-key-cache.ts'

const envelope = (fill: number) => new Uint8Array(170).fill(fill)
const context = (): EnvelopeContext => ({
  organizationId: randomUUID(),
  walletId: randomUUID(),
  purpose: 'tee-a',
  shareIndex: 1,
  polynomialVersion: 1,
})

function make(entriesMax: number) {
  let now = 0
  let unwraps = 0
  const cache = dataKeyCache(entriesMax, 1_000, () => now)
  const get = (bytes: Uint8Array, row: EnvelopeContext, fill = 7) =>
    cache.get(bytes, row, () => {
      unwraps += 1
      return new Uint8Array(32).fill(fill)
    })
  return { cache, get, later: (ms: number) => (now += ms), unwraps: () => unwraps }
}

test('a held key is not unwrapped again, and only its own row and envelope find it', () => {
  const { get, unwraps } = make(8)
  const row = context()
  expect([...get(envelope(1), row)]).toEqual(Array(32).fill(7))
  get(envelope(1), row)
  expect(unwraps()).toBe(1)
  get(envelope(2), row)
  get(envelope(1), { ...row, walletId: randomUUID() })
  get(envelope(1), { ...row, organizationId: randomUUID() })
  get(envelope(1), { ...row, polynomialVersion: 2 })
  expect(unwraps()).toBe(5)
})

test('it never holds more than its bound; the least recently used key goes and is zeroed', () => {
  const { cache, get, unwraps } = make(2)
  const rows = [context(), context(), context()] as const
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
  const row = context()
  const view = get(envelope(1), row)
  later(999)
  get(envelope(1), row)
  expect(unwraps()).toBe(1)
  later(1)
  cache.sweep()
  expect(cache.size()).toBe(0)
  expect(view.every((byte) => byte === 0)).toBe(true)
  get(envelope(1), row)
  later(1_000)
  get(envelope(1), row)
  expect(unwraps()).toBe(3)
})

test('clearing zeroes every key', () => {
  const { cache, get } = make(4)
  const views = [1, 2, 3].map((fill) => get(envelope(fill), context()))
  cache.clear()
  expect(cache.size()).toBe(0)
  expect(views.every((view) => view.every((byte) => byte === 0))).toBe(true)
})

test('what unwrapping answered is wiped, and a failed unwrapping holds nothing', () => {
  const { cache } = make(4)
  const fresh = new Uint8Array(32).fill(5)
  cache.get(envelope(1), context(), () => fresh)
  expect(fresh.every((byte) => byte === 0)).toBe(true)
  expect(() =>
    cache.get(envelope(2), context(), () => {
      throw new Error('unwrap')
    }),
  ).toThrow('unwrap')
  expect(cache.size()).toBe(1)
})
