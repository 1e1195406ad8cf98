import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeWorld } from './adapters/node-world.ts'
import { runVerify } from './run-verify.ts'
import { verifyVersion } from './version.ts'

let folder = ''
let saved = ''
let receipt = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'symbolon-verify-'))
  saved = path.join(folder, 'saved.jws')
  writeFileSync(saved, 'a.b.c')
  receipt = path.join(folder, 'receipt.jws')
  writeFileSync(receipt, `${btoa('{"kid":"k"}')}.b.c`)
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
  [['recept', 'a.jws'], 'There is no command recept: did you mean receipt?'],
  [['attestaton', url], 'There is no command attestaton: did you mean attestation?'],
  [['Export', 'a'], 'There is no command Export: did you mean export?'],
  [['attest', url], 'There is no command attest: did you mean attestation?'],
])('wrong usage is said in the first line, and the usage follows: %j', async (args, said) => {
  const { code, out, err } = await run(args)
  expect([code, out]).toEqual([2, ''])
  const [first = '', empty, ...usage] = err.split('\n')
  if (typeof said === 'string') expect(first).toBe(said)
  else expect(first).toMatch(said)
  expect(empty).toBe('')
  // The usage of the command that was named, or all of it.
  const isNamed = ['receipt', 'attestation', 'export'].includes(args[0] ?? '')
  expect(usage.join('\n').match(/^Verifies /gm)).toHaveLength(isNamed ? 1 : 4)
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
  expect((await run(['status'])).err).toBe('There is no file status.\n')
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
      `${url}/portal answered with something other than JSON: is this the platform's address? Is it ${url}?`,
    ],
    [
      async () => new Response('<html>'),
      url,
      `${url} answered with something other than JSON: is this the platform's address?`,
    ],
    [
      async () => new Response('', { status: 404 }),
      `${url}/portal/`,
      `${url}/portal answered 404. Is it ${url}?`,
    ],
    [async () => new Response('', { status: 502 }), url, `${url} answered 502.`],
  ]
  for (const [fetch, at, said] of answers)
    expect(await run(['attestation', at], fetch)).toEqual({ code: 2, out: '', err: `${said}\n` })
})

/** A server of this machine that redirects every request, for as long as `act` takes. */
async function redirecting(to: (path: string) => string, act: (at: string) => Promise<void>) {
  const server = createServer((request, response) => {
    response.writeHead(301, { location: to(request.url ?? '') }).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
}

test('an address that redirects is said to, and the one it leads to is named, without following it', async () => {
  const there = 'https://wallets.example.com'
  for (const [to, says] of [
    [(path: string) => there + path, `redirects to ${there}: use that address.`],
    [
      () => `${there}/login?next=secret`,
      `redirects to ${there}, where no platform is meant to be: check the`,
    ],
    [() => '/login', 'redirects instead of answering: check the address, and any proxy.'],
    [() => '', 'redirects instead of answering: check the address, and any proxy.'],
  ] as const)
    await redirecting(to, async (at) => {
      const { code, out, err } = await run(['attestation', at])
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain(`${at} ${says}`)
      expect(err).not.toContain('secret')
    })
})

test('a path below which the platform is stays in what a redirect is said to lead to', async () => {
  await redirecting(
    (path) => `https://wallets.example.com${path}`,
    async (at) => {
      const { err } = await run(['attestation', `${at}/base/`])
      expect(err).toBe(`${at}/base redirects to https://wallets.example.com/base: use that address.\n`)
    },
  )
})

test('what is not the address of a platform is said so, repeating neither password nor query', async () => {
  for (const [given, shown] of [
    [`${url}?secret`, `${url}?…`],
    [`${url}/?`, `${url}/?…`],
    [`${url}#secret`, `${url}#…`],
    [`${url}/v1`, `${url}/v1`],
    ['http://me:secret@127.0.0.1:4999', 'http://…@127.0.0.1:4999'],
  ] as const)
    for (const args of [
      ['attestation', given],
      ['receipt', receipt, '--attestation', given],
    ])
      expect(await run(args)).toEqual({
        code: 2,
        out: '',
        err: `${shown} is not the address of a platform: leave out /v1, a password, and everything from ? or # on.\n`,
      })
})

test('an address without its scheme, and one without a command, are completed', async () => {
  for (const [given, whole] of [
    ['127.0.0.1:4940', 'http://127.0.0.1:4940'],
    ['localhost:4940/', 'http://localhost:4940/'],
    ['wallets.example.com:443', 'https://wallets.example.com:443'],
  ] as const) {
    expect((await run(['attestation', given])).err).toBe(
      `${given} is an address without its scheme: say ${whole}.\n`,
    )
    expect((await run(['receipt', receipt, '--attestation', given])).err).toContain(`say ${whole}.`)
    expect(await run([given])).toEqual({
      code: 2,
      out: '',
      err: `An address needs a command: verify attestation ${whole}\n`,
    })
  }
  expect((await run([url])).err).toBe(`An address needs a command: verify attestation ${url}\n`)
  expect((await run(['attestation', 'wallets.example.com'])).err).toBe(
    'There is no file wallets.example.com. The address of a platform begins with https://.\n',
  )
  for (const args of [
    ['export', url],
    ['export', saved, '--jwks', url],
  ])
    expect((await run(args)).err).toBe(`${url} is a URL, but a file is needed here: save what it answers.\n`)
})

test('a file that is not an export is said so; one whose events were changed has failed', async () => {
  const file = path.join(folder, 'README.md')
  writeFileSync(file, '# Title\n\n```sh\nnpm start\n```\n')
  const json = path.join(folder, 'answer.json')
  writeFileSync(json, '{"data":null,"error":null}\n')
  for (const args of [[file], ['export', file], ['export', file, '--json'], ['export', json]])
    expect(await run(args)).toEqual({
      code: 2,
      out: '',
      err: `${args.find((arg) => arg.startsWith(folder))} is not the export of an audit log: not one of its lines is an event.\n`,
    })
  const event = {
    actor_id: 'x',
    actor_type: 'end_user',
    error_code: '',
    event_type: 'wallet.created',
    id: '018f0000-0000-7000-8000-000000000001',
    organization_id: '018f0000-0000-7000-8000-000000000002',
    payload: {},
    success: true,
    timestamp: '2026-01-01T00:00:00.000Z',
    user_identity_id: '',
    wallet_id: '',
  }
  const changed = path.join(folder, 'changed.ndjson')
  for (const text of [
    JSON.stringify(event, null, 1).replaceAll('\n', ''),
    `${JSON.stringify(event)}\nnot json`,
  ]) {
    writeFileSync(changed, `${text}\n`)
    expect(await run([changed])).toMatchObject({ code: 1, out: expect.stringMatching(/^FAILED/) })
  }
  writeFileSync(changed, `${JSON.stringify(event)}\n`)
  expect(await run([changed, '--organization', event.id])).toMatchObject({ code: 1 })
})
