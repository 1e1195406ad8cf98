import { createHash, randomBytes } from 'node:crypto'
import type { MarkSegment } from '@symbolon/crypto/node'
import { rounds } from '@symbolon/testing/properties'
import { expect, test } from 'vitest'
import { EnclaveFault } from '../enclave-fault.ts'
import { type MarkChain, markChain } from './mark-chain.ts'
import { type MarkTable, markTable, nameBytes, neverEnds } from './mark-table.ts'

const key = randomBytes(32)
const nameOf = (i: number) => createHash('sha256').update(String(i)).digest().subarray(0, nameBytes)

function boot(of = key): { table: MarkTable; chain: MarkChain } {
  const table = markTable({ today: () => 1 })
  return { table, chain: markChain({ table, key: of }) }
}

/** A database of segments, as the API keeps it. */
function database() {
  let stored: MarkSegment[] = []
  return {
    segments: () => stored,
    newest: () => stored.at(-1)?.number ?? 0,
    store(chain: MarkChain): void {
      const added: MarkSegment[] = []
      let number = stored.at(-1)?.number ?? 0
      for (;;) {
        const segment = chain.next(number)
        if (segment === undefined) break
        added.push(segment)
        number = segment.number
        if (segment.isComplete) break
      }
      stored = [...stored, ...added].filter(({ number: of }) => of >= (added.at(-1)?.keepFrom ?? 0))
    },
  }
}

function load(chain: MarkChain, segments: readonly MarkSegment[]): void {
  chain.clear()
  for (const segment of segments) chain.load(segment)
  chain.finish()
}

const isRefused = (step: () => void): boolean => {
  try {
    step()
    return false
  } catch (error) {
    return error instanceof EnclaveFault && error.status === 'refused'
  }
}

test('whatever changes and whenever it is stored, the next boot has what was stored last', () => {
  const db = database()
  const expected = new Map<number, bigint>()
  let { table, chain } = boot()
  const steps = rounds({ suite: 300, night: 5_000 })
  for (let step = 0; step < steps; step++) {
    const size = 1 + (randomBytes(1)[0] ?? 0) * (step % 50 === 0 ? 40 : 1)
    for (let i = 0; i < size; i++) {
      const of = randomBytes(2).readUInt16LE() % 12_000
      const value = BigInt(step + 1)
      expected.set(of, value)
      table.set(nameOf(of), value, neverEnds)
    }
    db.store(chain)
    if (step % 60 !== 59) continue
    ;({ table, chain } = boot())
    load(chain, db.segments())
    for (const [of, value] of expected) expect(table.get(nameOf(of))).toBe(value)
    expect(chain.position().root).toEqual(db.segments().at(-1)?.root)
  }
  // Walks end again and again: what they make useless has gone.
  const kept = db.segments().reduce((sum, { sealed }) => sum + sealed.length, 0)
  expect(kept).toBeLessThan(6 * 32 * table.size())
})

test('boots that end before they have walked through their marks do not leave more and more segments', () => {
  const db = database()
  const marks = 4_000
  for (let round = 0; round < 120; round++) {
    const { table, chain } = boot()
    load(chain, db.segments())
    for (let i = 0; i < (round === 0 ? marks : 1); i++) table.set(nameOf(i), BigInt(round + 1), neverEnds)
    db.store(chain)
  }
  const { table, chain } = boot()
  load(chain, db.segments())
  expect([table.size(), table.get(nameOf(0))]).toEqual([marks, 120n])
  expect(db.segments().reduce((sum, { sealed }) => sum + sealed.length, 0)).toBeLessThan(6 * 32 * marks)
})

test('a segment whose answer was lost is returned again, the same; what changes meanwhile follows', () => {
  const { table, chain } = boot()
  table.set(nameOf(1), 1n, neverEnds)
  const first = chain.next(0)
  table.set(nameOf(2), 2n, neverEnds)
  // What changed meanwhile belongs into the same transaction.
  expect(first?.isComplete).toBe(true)
  expect(chain.next(0)).toEqual({ ...first, isComplete: false })
  expect(chain.hasUnstored()).toBe(true)
  const second = chain.next(1)
  expect(second).toMatchObject({ number: 2, previousRoot: first?.root })
  expect(chain.next(2)).toBeUndefined()
  expect(chain.hasUnstored()).toBe(false)
})

test('a database that was set back, emptied or comes from elsewhere gets everything anew, under numbers of its own', () => {
  for (const stored of [0, 3, 70]) {
    const { table, chain } = boot()
    for (let i = 0; i < 9_000; i++) table.set(nameOf(i), BigInt(i + 1), neverEnds)
    const before = database()
    before.store(chain)
    table.set(nameOf(1), 77n, neverEnds)
    before.store(chain)
    expect(chain.next(before.newest())).toBeUndefined()
    const segments: MarkSegment[] = []
    for (let number = stored; ; ) {
      const segment = chain.next(number)
      if (segment === undefined) break
      segments.push(segment)
      number = segment.number
    }
    expect(segments[0]?.number).toBeGreaterThan(Math.max(stored, before.newest()))
    const next = boot()
    load(next.chain, segments)
    expect(next.table.size()).toBe(table.size())
    expect(next.table.get(nameOf(1))).toBe(77n)
    // Without its end, or its beginning, it is of no use.
    expect(segments.length).toBeGreaterThan(1)
    expect(isRefused(() => load(boot().chain, segments.slice(0, -1)))).toBe(true)
    expect(isRefused(() => load(boot().chain, segments.slice(1)))).toBe(true)
  }
})

test('a number that no database can have changes nothing', () => {
  const { table, chain } = boot()
  table.set(nameOf(1), 1n, neverEnds)
  for (const stored of [2 ** 48 + 1, Number.MAX_SAFE_INTEGER])
    expect(isRefused(() => chain.next(stored))).toBe(true)
  expect(chain.next(0)?.number).toBe(1)
  // A database that was made to name the highest number is gone on from there.
  expect(chain.next(2 ** 48)?.number).toBe(2 ** 48 + 1)
  table.set(nameOf(2), 2n, neverEnds)
  expect(chain.next(2 ** 48 + 1)?.number).toBe(2 ** 48 + 2)
})

test('no other ring, order, place or byte: each is refused', () => {
  const { table, chain } = boot()
  const db = database()
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < 1_000; i++) table.set(nameOf(round * 1_000 + i), BigInt(round + 1), neverEnds)
    db.store(chain)
  }
  const segments = db.segments()
  const [first, second] = segments
  if (first === undefined || second === undefined) throw new Error('there are two segments at least')
  load(boot().chain, segments)
  expect(isRefused(() => load(boot(randomBytes(32)).chain, segments))).toBe(true)
  expect(isRefused(() => load(boot().chain, segments.toReversed()))).toBe(true)
  expect(isRefused(() => load(boot().chain, [first, first]))).toBe(true)
  expect(isRefused(() => load(boot().chain, [first, ...segments.slice(2)]))).toBe(true)
  for (const change of [
    { number: first.number + 1 },
    { keepFrom: first.keepFrom + 1 },
    { previousRoot: randomBytes(32) },
    { sealed: first.sealed.subarray(0, 20) },
    { sealed: first.sealed.subarray(32) },
  ])
    expect(isRefused(() => load(boot().chain, [{ ...first, ...change }]))).toBe(true)
  for (let at = 0; at < first.sealed.length; at += 97) {
    const sealed = Uint8Array.from(first.sealed)
    sealed[at] = (sealed[at] ?? 0) ^ 1
    expect(isRefused(() => load(boot().chain, [{ ...first, sealed }]))).toBe(true)
  }
})

test('a second loading begins anew', () => {
  const { table, chain } = boot()
  table.set(nameOf(1), 1n, neverEnds)
  const db = database()
  db.store(chain)
  const next = boot()
  next.table.set(nameOf(2), 2n, neverEnds)
  load(next.chain, db.segments())
  load(next.chain, db.segments())
  expect(next.table.size()).toBe(1)
  expect(next.chain.next(db.newest())).toBeUndefined()
})
