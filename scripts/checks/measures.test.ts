import { describe, expect, test } from 'vitest'
import { circles } from './import-circles.ts'
import { longFunctions } from './long-functions.ts'
import { measures, productLines } from './measures.ts'
import { moduleState } from './module-state.ts'
import { type ParsedFile, parseFile } from './parsed-file.ts'
import { wideRecords } from './wide-records.ts'

const lines = (count: number) => '  work()\n'.repeat(count)
const at = (path: string, text: string): ParsedFile => parseFile({ path, text })

describe('long functions', () => {
  test.each([
    ['a declaration', `function long() {\n${lines(59)}}`],
    ['an arrow', `const long = () => {\n${lines(59)}}`],
    ['a method', `const record = {\n  long() {\n${lines(59)}  },\n}`],
    ['a callback', `it('does much', () => {\n${lines(59)}})`],
  ])('%s of 61 lines is found, of 60 it is not', (_, text) => {
    expect(longFunctions([at('a.ts', text)], 60)).toEqual([expect.stringMatching(/^a\.ts:[12]: 61 lines$/)])
    expect(longFunctions([at('a.ts', text)], 61)).toEqual([])
  })

  test('a table without a function body and a list of tests do not count', () => {
    const table = `export const table = [\n${'  1,\n'.repeat(80)}]`
    const suite = `describe.each([1])('%s', () => {\n${lines(80)}})`
    expect(longFunctions([at('a.ts', table), at('b.test.ts', suite)], 60)).toEqual([])
  })
})

describe('dependency records', () => {
  const members = (count: number) =>
    ['sql', ...'bcdefghij']
      .slice(0, count)
      .map((name) => `${name}: Port`)
      .join('; ')
  test.each([
    ['a destructured parameter', (count: number) => `export function f({ sql }: { ${members(count)} }) {}`],
    ['a named parameter', (count: number) => `export function f(ctx: { ${members(count)} }) {}`],
    ['an alias', (count: number) => `export type SigningCtx = { ${members(count)} }`],
  ])('%s with seven members is found, with six it is not', (_, text) => {
    const file = 'packages/server/src/features/a/a.ts'
    expect(wideRecords([at(file, text(7))], 6)).toEqual([`${file}:1: 7 members`])
    expect(wideRecords([at(file, text(6))], 6)).toEqual([])
  })

  test('a record without a port is data, and the wiring is exempt', () => {
    const data = 'export type Row = { a: 1; b: 1; c: 1; d: 1; e: 1; f: 1; g: 1 }'
    const wiring = `export function f({ sql }: { ${members(9)} }) {}`
    expect(wideRecords([at('packages/server/src/features/a/a.ts', data)], 6)).toEqual([])
    expect(wideRecords([at('packages/server/src/wiring/a.ts', wiring)], 6)).toEqual([])
  })
})

describe('module state', () => {
  test.each([
    ['a variable', 'let last = 0'],
    ['an exported variable', 'export let last = 0'],
    ['an empty map', 'const last = new Map<string, number>()'],
    ['a memo', 'export const last = rememberLast(decode)'],
  ])('%s at the top of a module is found', (_, text) => {
    expect(moduleState([at('packages/a/src/b.ts', text)])).toEqual(['packages/a/src/b.ts:1: last'])
  })

  test('tables, constants and programs are not', () => {
    const tables = "const a = new Map([['x', 1]])\nconst none: ReadonlySet<string> = new Set()\nconst n = 1"
    expect(moduleState([at('packages/a/src/b.ts', tables)])).toEqual([])
    expect(moduleState([at('packages/a/src/main.ts', 'let isEnding = false')])).toEqual([])
  })
})

test('a circle is found through types as through values, and a chain is none', () => {
  const chain = [at('packages/a/src/a.ts', "import './b.ts'"), at('packages/a/src/b.ts', 'export {}')]
  expect(circles(chain)).toEqual([])
  const back = at('packages/a/src/b.ts', "import type { A } from './a.ts'")
  expect(circles([...chain.slice(0, 1), back])).toEqual(['packages/a/src/a.ts -> packages/a/src/b.ts'])
})

test('generated files and files that only the suite loads do not count as the product', () => {
  const text = 'const maxTxCount = 1\n'
  const tree = [
    at('packages/a/src/a.ts', text),
    at('packages/a/src/a.test.ts', text),
    at('packages/a/src/generated/a.ts', text),
    at('test/a.ts', text),
  ]
  const field = measures(tree).find(({ name }) => name === 'files that a policy field touches')
  expect(field?.places).toEqual(['packages/a/src/a.ts'])
  expect(productLines(tree)).toBe(1)
})
