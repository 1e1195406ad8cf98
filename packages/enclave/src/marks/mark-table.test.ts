import { createHash } from 'node:crypto'
import { rounds } from '@symbolon/testing/properties'
import { expect, test } from 'vitest'
import { markMax, markTable, nameBytes, neverEnds } from './mark-table.ts'

const nameOf = (text: string | number) =>
  createHash('sha256').update(String(text)).digest().subarray(0, nameBytes)

test('a table holds what a map holds, however it grows', () => {
  const table = markTable({ slotsMin: 4, today: () => 1 })
  const expected = new Map<number, bigint>()
  const count = rounds({ suite: 2_000, night: 200_000 })
  for (let step = 0; step < count; step++) {
    const of = Number.parseInt(nameOf(`of ${step}`).toString('hex', 0, 2), 16)
    const value = BigInt(`0x${nameOf(`value ${step}`).toString('hex')}`)
    expected.set(of, value)
    expect(table.set(nameOf(of), value, neverEnds)).toBe(true)
  }
  for (const [of, value] of expected) expect(table.get(nameOf(of))).toBe(value)
  expect(table.size()).toBe(expected.size)
  expect(table.get(nameOf('never set'))).toBe(0n)
})

test('a value above 128 bits is kept as the largest', () => {
  const table = markTable({ today: () => 1 })
  table.set(nameOf(1), markMax + 5n, neverEnds)
  expect(table.get(nameOf(1))).toBe(markMax)
})

test('marks whose last day is over make room; the others stay, and a full table says so', () => {
  let day = 10
  const table = markTable({ slotsMin: 8, slotsMax: 8, today: () => day })
  for (let i = 0; i < 6; i++) expect(table.set(nameOf(i), BigInt(i + 1), i < 3 ? 10 : 11)).toBe(true)
  expect(table.set(nameOf('more'), 1n, 11)).toBe(false)
  expect(table.set(nameOf(0), 9n, 10)).toBe(true)
  day = 11
  expect(table.set(nameOf('more'), 1n, 11)).toBe(true)
  expect([0, 1, 2, 3, 4, 5].map((i) => table.get(nameOf(i)))).toEqual([0n, 0n, 0n, 4n, 5n, 6n])
})

test('a mark that is set again ends no earlier than before', () => {
  let day = 10
  const table = markTable({ slotsMin: 8, slotsMax: 8, today: () => day })
  table.set(nameOf('revoked'), 7n, 20)
  table.set(nameOf('revoked'), 8n, 10)
  day = 15
  expect(table.scan(0, 10).marks).toHaveLength(32)
  for (let i = 0; i < 4; i++) expect(table.set(nameOf(i), 1n, 15)).toBe(true)
  expect(table.get(nameOf('revoked'))).toBe(8n)
  table.set(nameOf('revoked'), 8n, 30)
  day = 25
  expect(table.scan(0, 10).marks).toHaveLength(32)
})

test('what changed is taken once, whatever the table does meanwhile; what is put in from elsewhere has not changed', () => {
  const table = markTable({ slotsMin: 8, today: () => 1 })
  for (let i = 0; i < 100; i++) table.set(nameOf(i), BigInt(i + 1), neverEnds)
  expect(table.changed()).toBe(100)
  const taken = [table.takeChanged(30), table.takeChanged(1_000)]
  expect(taken.map(({ length }) => length)).toEqual([30 * 32, 70 * 32])
  expect(table.changed()).toBe(0)
  table.set(nameOf(5), 50n, neverEnds)
  expect(table.changed()).toBe(1)

  const other = markTable({ slotsMin: 8, today: () => 1 })
  expect(other.put(Buffer.concat(taken))).toBe(true)
  expect(other.changed()).toBe(0)
  for (let i = 0; i < 100; i++) expect(other.get(nameOf(i))).toBe(BigInt(i + 1))
})

test('a scan finds every mark whose day is not over, piece by piece', () => {
  let day = 1
  const table = markTable({ slotsMin: 8, today: () => day })
  for (let i = 0; i < 100; i++) table.set(nameOf(i), BigInt(i + 1), i < 40 ? 1 : 2)
  day = 2
  const found = markTable({ slotsMin: 8, today: () => day })
  let pieces = 0
  for (let at: number | null = 0; at !== null; pieces++) {
    const piece: { marks: Buffer; next: number | null } = table.scan(at, 7)
    expect(found.put(piece.marks)).toBe(true)
    at = piece.next
  }
  expect(pieces).toBeGreaterThan(8)
  expect(found.size()).toBe(60)
  expect(found.get(nameOf(99))).toBe(100n)
})

test('marks whose day is over are not put in, and a full table says so', () => {
  const table = markTable({ slotsMin: 8, today: () => 1 })
  for (let i = 0; i < 20; i++) table.set(nameOf(i), 1n, i < 10 ? 5 : 6)
  const marks = table.takeChanged(20)
  const late = markTable({ slotsMin: 8, today: () => 6 })
  expect(late.put(marks)).toBe(true)
  expect(late.size()).toBe(10)
  expect(markTable({ slotsMin: 8, slotsMax: 8, today: () => 1 }).put(marks)).toBe(false)
})
