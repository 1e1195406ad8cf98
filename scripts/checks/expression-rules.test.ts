import { expect, test } from 'vitest'
import { expressionViolations } from './expression-rules.ts'
import { parseFile } from './parsed-file.ts'

/** § stands for the $ of a template. */
const found = (text: string, path = 'packages/server/src/features/a/a.ts') =>
  expressionViolations(parseFile({ path, text: text.replaceAll('§', '$') })).length

test.each([
  ['a parameter', 'export const find = (text: string) => new RegExp(text)'],
  ['a part of a template', 'export function find({ word }: Query) { return new RegExp(`^§{word}$`) }'],
  ['a field', 'export const find = (query: Query) => RegExp(query.pattern, "i")'],
  ['its flags', "export const find = (flags: string) => new RegExp('a', flags)"],
  ['a name from elsewhere', "import { form } from './b.ts'\nconst expression = new RegExp(form)"],
  [
    'what a call inside passes on',
    'const make = (a: string) => new RegExp(a)\nexport const b = (c: string) => make(c)',
  ],
  ['what a variable holds', 'export function f(a: string) { const b = `§{a}x`; return new RegExp(b) }'],
])('a regular expression of %s is found in what serves requests', (_, text) => {
  expect(found(text)).toBe(1)
  expect(found(text, 'packages/server/src/features/a/a.test.ts')).toBe(0)
  expect(found(text, 'packages/portal/src/a.ts')).toBe(0)
})

test.each([
  ['literals', "const a = new RegExp('^a$', 'u')"],
  ['constants of the file', "const a = '[a-z]'\nconst b = String.raw`§{a}+`\nconst c = new RegExp(`^§{b}$`)"],
  [
    'what its own calls give it',
    "const make = (a: string) => new RegExp(`^§{a}$`)\nexport const b = [make('x'), make('y')]",
  ],
  [
    'numbers of such',
    'function below(bits: number) { const n = 2n ** BigInt(bits); return new RegExp(`a{§{n}}`) }\nbelow(3)',
  ],
])('a regular expression of %s is none that somebody says', (_, text) => {
  expect(found(text)).toBe(0)
})
