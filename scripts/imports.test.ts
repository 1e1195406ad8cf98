import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { houseViolations } from './imports.ts'

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

function violationsOf(files: Record<string, string>): string[] {
  const root = mkdtempSync(path.join(tmpdir(), 'house-'))
  roots.push(root)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  return houseViolations(root)
}

const server = 'packages/server/src'
const feature = `${server}/features`
const planted: [title: string, file: string, text: string, says: string][] = [
  ['api importing crypto', 'packages/api/src/a.ts', "import '@symbolon/crypto'", 'look down'],
  [
    'crypto importing networks',
    'packages/crypto/src/a.ts',
    "import { x } from '@symbolon/networks'",
    'look down',
  ],
  [
    'networks importing api',
    'packages/networks/src/a.ts',
    "import type { x } from '@symbolon/api'",
    'look down',
  ],
  ['enclave importing server', 'packages/enclave/src/a.ts', "export * from '@symbolon/server'", 'look down'],
  [
    'server importing enclave',
    'packages/server/src/a.ts',
    "const x = await import('@symbolon/enclave')",
    'look down',
  ],
  ['server importing dev', 'packages/server/src/main.ts', "import '@symbolon/dev'", 'look down'],
  ['server requiring dev', 'packages/server/src/a.ts', "const x = require('@symbolon/dev')", 'look down'],
  [
    'server resolving dev',
    'packages/server/src/a.ts',
    "const x = import.meta.resolve('@symbolon/dev')",
    'look down',
  ],
  ['import type() of dev', 'packages/server/src/a.ts', "type X = import('@symbolon/dev').X", 'look down'],
  ['import = require of dev', 'packages/server/src/a.ts', "import x = require('@symbolon/dev')", 'look down'],
  [
    'iframe importing server',
    'packages/iframe/src/a.ts',
    "export { x } from '@symbolon/server'",
    'look down',
  ],
  ['sdk taking a value of api', 'packages/sdk/src/a.ts', "import { x } from '@symbolon/api'", 'only types'],
  [
    'server taking a value of policy',
    'packages/server/src/a.ts',
    "import { x } from '@symbolon/policy'",
    'only types',
  ],
  ['entering a package by path', 'packages/server/src/a.ts', "import '../../crypto/src/x.ts'", 'by its name'],
  [
    'a test entering a package by path',
    'test/a.test.ts',
    "import '../packages/crypto/src/x.ts'",
    'src/testing/',
  ],
  [
    'a fixture entering a package by path',
    'packages/testing/src/a.ts',
    "import type { x } from '../../server/src/x.ts'",
    'src/testing/',
  ],
  [
    'production code taking what is for tests',
    'packages/dev/src/a.ts',
    "import { x } from '@symbolon/server/testing/db'",
    'test code',
  ],
  [
    'production code taking the only entry for tests',
    'packages/portal/src/a.ts',
    "import { x } from '@symbolon/sdk/testing'",
    'test code',
  ],
  [
    'reaching out of packages/',
    'packages/server/src/a.ts',
    "import '../../../test/x.ts'",
    'outside packages/',
  ],
  ['api taking more of policy', 'packages/api/src/a.ts', "import { x } from '@symbolon/policy'", 'look down'],
  [
    'the portal taking another entry of policy',
    'packages/portal/src/a.ts',
    "import type { x } from '@symbolon/policy/decision'",
    'look down',
  ],
  [
    'the table of fields importing',
    'packages/policy/src/fields.ts',
    "import type { x } from './x.ts'",
    'plain',
  ],
  [
    'dev importing testing',
    'packages/dev/src/a.ts',
    "import '@symbolon/testing/database'",
    'only tests and benchmarks',
  ],
  [
    'a type of testing in the server',
    'packages/server/src/a.ts',
    "import type { x } from '@symbolon/testing/app'",
    'only tests and benchmarks',
  ],
  [
    'testing entered by path',
    'packages/server/src/a.ts',
    "import '../../testing/src/app/index.ts'",
    'only tests and benchmarks',
  ],
  [
    'a script importing testing',
    'scripts/build.ts',
    "import '@symbolon/testing/browser'",
    'only tests and benchmarks',
  ],
  ['importing a test', 'packages/server/src/a.ts', "import './x.test.ts'", 'test code'],
  ['a computed import', 'packages/server/src/a.ts', 'const x = await import(name)', 'computed import'],
  ['Node in browser code', 'packages/networks/src/a.ts', "import fs from 'node:fs'", 'browser'],
  [
    'Node crypto in browser code',
    'packages/networks/src/a.ts',
    "import '@symbolon/crypto/node'",
    'Node half',
  ],
  ['Node half of crypto inside', 'packages/crypto/src/a.ts', "import './node/x.ts'", 'Node half'],
  [
    'a feature going past an index',
    `${feature}/agents/a.ts`,
    "import { b } from '../audit/b.ts'",
    'by its index.ts',
  ],
  [
    'the type of a feature past its index',
    `${feature}/agents/a.ts`,
    "import type { B } from '../audit/b.ts'",
    'by its index.ts',
  ],
  [
    're-exporting what is above',
    `${feature}/spending/a.ts`,
    "export { b } from '../wallets/index.ts'",
    'pass it from wiring/',
  ],
  [
    'a roof importing one above it, deep inside',
    `${feature}/transactions/nonces/a.ts`,
    "import type { B } from '../../agents/index.ts'",
    'pass it from wiring/',
  ],
  [
    'a feature without a place',
    `${feature}/novel/a.ts`,
    "import { b } from '../audit/index.ts'",
    'no place in the order',
  ],
  [
    'a feature with an adapter',
    `${feature}/a/a.ts`,
    "import type { x } from '../../adapters/x.ts'",
    'never adapters',
  ],
  ['a domain file with HTTP', `${feature}/a/a.ts`, "import { x } from '../../http/x.ts'", 'knows HTTP'],
  ['a feature importing app.ts', `${feature}/a/a.ts`, "import { x } from '../../app.ts'", 'the root'],
  ['a feature importing wiring', `${feature}/a/a.ts`, "import { x } from '../../wiring/x.ts'", 'wiring'],
  [
    'http importing a feature',
    `${server}/http/a.ts`,
    "import { x } from '../features/a/index.ts'",
    'features',
  ],
  ['db importing a port', `${server}/db/a.ts`, "import type { x } from '../ports/x.ts'", 'ports'],
  ['an adapter importing db', `${server}/adapters/a.ts`, "import type { x } from '../db/x.ts'", 'db'],
  ['runtime importing db', `${server}/runtime/a.ts`, "import { x } from '../db/x.ts'", 'db'],
  ['a port importing an adapter', `${server}/ports/a.ts`, "import { x } from '../adapters/x.ts'", 'adapters'],
  [
    'wiring building an adapter',
    `${server}/wiring/a.ts`,
    "import { x } from '../adapters/x.ts'",
    'only types',
  ],
  ['wiring importing app.ts', `${server}/wiring/a.ts`, "import type { x } from '../app.ts'", 'the root'],
  ['an unknown room', `${server}/things/a.ts`, "import { x } from '../db/x.ts'", 'no room'],
  ['process.env', 'packages/server/src/a.ts', 'const x = process.env.HOME', 'process.env'],
  ['process["env"]', 'packages/server/src/a.ts', 'const x = process["env"]', 'process.env'],
  ['Date.now', 'packages/server/src/a.ts', 'const x = Date.now()', 'Date.now'],
  ['new Date()', 'packages/server/src/a.ts', 'const x = new Date()', 'new Date()'],
  ['Math.random', 'packages/enclave/src/a.ts', 'const x = Math.random', 'Math.random'],
  ['fetch', 'packages/server/src/a.ts', 'await fetch("x")', 'fetch'],
  ['globalThis.fetch', 'packages/server/src/a.ts', 'await globalThis.fetch("x")', 'fetch'],
  ['an overlong file', 'packages/api/src/a.ts', '\n'.repeat(401), '400 at most'],
  ['camelCase in a name', 'packages/api/src/aB.ts', '', 'kebab-case'],
  ['a vague name', 'packages/api/src/utils.ts', '', 'says nothing'],
  ['a vague folder', 'packages/api/src/helpers/a.ts', '', 'says nothing'],
  ['an export without a docblock', 'packages/api/src/a.ts', '// no\nexport const a = 1', 'docblock'],
  ['a test named by two words', 'packages/api/src/a.test.ts', "test('a transfer', () => {})", '3 words'],
  ['it, by two words', 'test/a/a.test.tsx', "it('guesses  nothing ', () => {})", '3 words'],
  ['two words in a contract', 'packages/api/src/a.contract.ts', 'test(`is kept`, () => {})', '3 words'],
  ['two words of one that is skipped', 'test/a/a.test.ts', "test.skip('is kept', () => {})", '3 words'],
  ['two words for a table', 'test/a/a.test.ts', "test.each([['a b c']])('refuses %s', () => {})", '3 words'],
  ['no word of its own for a table', 'test/a/a.test.ts', "test.for(\n  table,\n)('%s', () => {})", '3 words'],
  ['two words under a heading', 'test/a/a.test.ts', 'test.each`a\n1`("is $a", () => {})', '3 words'],
  [
    'two words on a condition',
    'test/a/a.test.ts',
    "it.skipIf(on(1)).each([1])('is %s', () => {})",
    '3 words',
  ],
  ['a title from elsewhere', 'test/a/a.test.ts', 'test(title, () => {})', 'written out'],
]

describe('a planted violation', () => {
  test.each(planted)('is caught: %s', (_title, file, text, says) => {
    const found = violationsOf({ [file]: text })
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(says)
    expect(found[0]).toContain(file)
  })
})

const fine: [title: string, file: string, text: string][] = [
  ['looking down', 'packages/server/src/a.ts', "import '@symbolon/crypto/node'\nimport 'node:fs'"],
  ['types of a contract', 'packages/sdk/src/a.ts', "import { type X, type Y } from '@symbolon/api'"],
  [
    'a feature built on another',
    `${feature}/protocols/a2a/a.ts`,
    "import { type B, b } from '../../spending/index.ts'",
  ],
  ['deep inside the own feature', `${feature}/agents/runs/a.ts`, "import { b } from '../tools/b.ts'"],
  ['wiring taking a feature apart', `${server}/wiring/a.ts`, "import { b } from '../features/agents/b/b.ts'"],
  [
    'plain data',
    'packages/api/src/a.ts',
    "import '@symbolon/networks/names'\nimport '@symbolon/policy/fields'\nimport '@symbolon/policy/reasons'",
  ],
  ['HTTP in a routes file', `${feature}/a/a.routes.ts`, "import { on } from '../../http/on.ts'"],
  ['a test importing dev', 'packages/server/src/a.test.ts', "import '@symbolon/dev'\nDate.now()"],
  ['dev importing anything', 'packages/dev/src/a.ts', "import '@symbolon/enclave'\nDate.now()"],
  ['Node in the Node half of crypto', 'packages/crypto/src/node/a.ts', "import 'node:crypto'"],
  [
    'the type of a caller in domain code',
    `${feature}/a/a.ts`,
    "import type { Caller } from '../../http/caller.ts'",
  ],
  [
    'the return type of a documented function',
    'packages/api/src/a.ts',
    'export type A = ReturnType<typeof a>',
  ],
  ['the clock in an adapter', 'packages/server/src/adapters/clock.ts', 'Date.now()'],
  ['the environment in config', 'packages/server/src/config.ts', 'process.env'],
  [
    'words in comments and strings',
    'packages/server/src/a.ts',
    "// Date.now() fetch()\nconst x = 'process.env'",
  ],
  ['a date from a value', 'packages/server/src/a.ts', 'new Date(0)'],
  ['a documented export', 'packages/api/src/a.ts', '/** One. */\nexport const a = 1'],
  [
    'titles of three words',
    'test/a/a.test.ts',
    "test('one is kept', f)\ntest.each([1])('%s is kept', f)\ntest.each`a\n1`('$a is kept', f)",
  ],
  ['a suite named by one word', 'test/a/a.test.ts', "describe('sessions', f)\nnames.test('a name')"],
]

describe('allowed code', () => {
  test.each(fine)('passes the checks: %s', (_title, file, text) => {
    expect(violationsOf({ [file]: text })).toEqual([])
  })
})
