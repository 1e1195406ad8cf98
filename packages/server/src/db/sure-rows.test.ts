import { expect, test } from 'vitest'
import { onlyValue, rowsOfWhole } from './sure-rows.ts'

test('one row gives its column, be it null', () => {
  expect(onlyValue([{ broken: null }], 'broken')).toBeNull()
  expect(onlyValue([{ broken: 'not_found' }], 'broken')).toBe('not_found')
})

test.each([[[]], [[{}]], [[{ other: 1 }]], [[null]], [[{ broken: null }, { broken: null }]]])(
  'an answer without exactly one row is refused: %j',
  (rows) => {
    expect(() => onlyValue(rows as { broken: null }[], 'broken')).toThrow('one row')
  },
)

test('an answer is whole with its last row only', () => {
  const end = { i: null, isEnd: true } as const
  expect(rowsOfWhole([end])).toEqual([])
  expect(rowsOfWhole([{ i: 1, isEnd: null }, end])).toEqual([{ i: 1, isEnd: null }])
  for (const rows of [[], [{ i: 1, isEnd: null }], [end, end], [{}]])
    expect(() => rowsOfWhole(rows as { i: number | null; isEnd: true | null }[])).toThrow('whole')
})
