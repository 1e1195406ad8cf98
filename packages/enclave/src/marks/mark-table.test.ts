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
