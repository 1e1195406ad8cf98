import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeWorld } from './adapters/node-world.ts'
import { runVerify } from './run-verify.ts'
import { verifyVersion } from './version.ts'

let folder = ''
let saved = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'symbolon-verify-'))
  saved = path.join(folder, 'saved.jws')
  writeFileSync(saved, 'a.b.c')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a run says and prints, in a world whose network answers `fetch`. */
async function run(args: readonly string[], fetch?: typeof globalThis.fetch) {
  const told = { code: -1, out: '', err: '' }
  const world = nodeWorld({
    called: 'verify',
    say: (text) => {
      told.err += text
    },
    print: (text) => {
      told.out += text
    },
  })
  told.code = await runVerify(args, { ...world, ...(fetch && { fetch }) })
  return told
}

const url = 'http://127.0.0.1:4999'
const twice = ['--pcr', `0=${'0'.repeat(96)}`, '--pcr', `0=${'0'.repeat(96)}`]

test.each([
  [['receipt', 'a.jws'], '--attestation is required.'],
  [['receipt'], 'The file of a receipt is required.'],
  [['receipt', 'a.jws', '--attestation'], '--attestation needs a value.'],
  [['receipt', 'a.jws', 'b.jws', '--attestation', url], 'One argument is too many: b.jws.'],
  [['receipt', 'a.jws', '--foo'], 'Unknown option --foo.'],
  [['receipt', 'a.jws', '--json=1'], '--json takes no value.'],
  [['attestation'], "A platform's base URL or a file is required."],
  [['attestation', url, url], `One argument is too many: ${url}.`],
  [['attestation', url, '-x'], 'Unknown option -x.'],
  [['attestation', url, '--release-key', 'k.pem'], '--release-key needs --release.'],
  [['attestation', url, '--pcr', '0=12'], /^--pcr must be <index>=<96 hex digits>/],
  [['attestation', url, ...twice], '--pcr names register 0 twice.'],
  [['export'], 'The file of an export is required.'],
  [['export', 'a', 'b'], 'One argument is too many: b.'],
  [['export', 'a', '--foo=1'], 'Unknown option --foo.'],
  [['--foo'], 'Unknown option --foo.'],
  [['recept', 'a.jws'], 'One argument is too many: a.jws.'],
])('wrong usage is said in the first line, and the usage follows: %j', async (args, said) => {
  const { code, out, err } = await run(args)
  expect([code, out]).toEqual([2, ''])
  const [first = '', empty, ...usage] = err.split('\n')
  if (typeof said === 'string') expect(first).toBe(said)
  else expect(first).toMatch(said)
  expect(empty).toBe('')
  // The usage of the command that was named, or all of it.
  const isNamed = ['receipt', 'attestation', 'export'].includes(args[0] ?? '')
  expect(usage.join('\n').match(/^Verifies /gm)).toHaveLength(isNamed ? 1 : 3)
})

test('the version and the help are results', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, out: `${verifyVersion}\n`, err: '' })
  for (const args of [['--help'], ['receipt', '--help'], ['export', '-h']])
    expect(await run(args)).toMatchObject({ code: 0, out: '', err: expect.stringMatching(/^Verifies /) })
})

test('a file that is not there, or no file, is a sentence with its name', async () => {
  const none = path.join(folder, 'nofile.jws')
  for (const args of [
    ['receipt', none, '--attestation', url],
    ['receipt', saved, '--attestation', none],
    ['attestation', none],
    ['attestation', url, '--release', none],
    ['attestation', url, '--root', none],
    ['export', none],
    ['export', saved, '--jwks', none],
    [none],
  ])
    expect(await run(args)).toEqual({ code: 2, out: '', err: `There is no file ${none}.\n` })
  for (const args of [
    ['attestation', folder],
    ['export', folder],
  ])
    expect(await run(args)).toEqual({ code: 2, out: '', err: `${folder} is a folder, not a file.\n` })
})

test('a platform that gives no attestation is named with its address', async () => {
  const answers: [fetch: typeof globalThis.fetch, at: string, said: string][] = [
    [
      async () => {
        throw new TypeError('fetch failed')
      },
      url,
      `No answer from ${url}: does the platform run there?`,
    ],
    [
      async () => {
        throw new TypeError('fetch failed')
      },
      'https://localhost:4999',
      'No answer from https://localhost:4999: does the platform run there? On this machine, it begins with http://.',
    ],
    [
      async () => new Response('<html>'),
      `${url}/portal`,
      `${url} answered with something other than JSON: is this the platform's address?`,
    ],
    [async () => new Response('', { status: 502 }), url, `${url} answered 502.`],
  ]
  for (const [fetch, at, said] of answers)
    expect(await run(['attestation', at], fetch)).toEqual({ code: 2, out: '', err: `${said}\n` })
})
