import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileRoot } from '@symbolon/enclave/file-root'
import { manifestFileOf } from '@symbolon/enclave/manifest-file'
import { publicApiJwk, testApiKey, testOperator } from '@symbolon/testing/enclave'
import { afterAll, beforeAll, expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../packages/enclave/src/ring/make-ring-main.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'symbolon-make-ring-'))
const ring = join(folder, 'ring.json')
const api = testApiKey()
const operators = [testOperator().jwk, testOperator().jwk]
let keys: string[]

function saved(name: string, content: object): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}

function make(...args: string[]): { code: number | null; out: string; err: string } {
  const {
    status: code,
    stdout: out,
    stderr: err,
  } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  return { code, out, err }
}

beforeAll(() => {
  const files = operators.map((jwk, i) => saved(`operator-${i}.jwk`, jwk))
  keys = ['--api-key', saved('api.jwk', publicApiJwk(api)), ...files.flatMap((file) => ['--operator', file])]
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('makes a ring with a manifest that names the given keys, which an enclave opens, and replaces neither', () => {
  const frameSha256 = 'ab'.repeat(32)
  const configured = ['--base-url', 'https://wallets.example', '--frame-sha256', frameSha256]
  const { code, out, err } = make(ring, ...keys, '--quorum', '1', ...configured)
  expect([code, err]).toEqual([0, ''])
  const { id, manifest } = fileRoot(ring).open()
  expect(out).toBe(`${id}\n`)
  expect(manifest).toMatchObject({
    version: 1,
    ring_id: id,
    api_keys: [publicApiJwk(api)],
    operators,
    quorum: { k: 1, n: 2 },
    configuration: {
      state_acceptance: 'operators',
      base_url: 'https://wallets.example',
      frame_url: null,
      frame_sha256: frameSha256,
    },
  })
  const before = [ring, manifestFileOf(ring)].map((file) => readFileSync(file, 'utf8'))
  expect(make(ring, ...keys)).toEqual({
    code: 1,
    out: '',
    err: `${manifestFileOf(ring)} exists already: a ring gets its first manifest once.\n`,
  })
  expect([ring, manifestFileOf(ring)].map((file) => readFileSync(file, 'utf8'))).toEqual(before)
  // A ring from before there were manifests keeps its keys.
  rmSync(manifestFileOf(ring))
  expect(make(ring, ...keys)).toEqual({ code: 0, out: `${id}\n`, err: '' })
  expect(readFileSync(ring, 'utf8')).toBe(before[0])
  expect(fileRoot(ring).open().manifest.quorum).toEqual({ k: 2, n: 2 })
})

test('makes nothing of private keys, of a quorum that cannot be, and of arguments that are missing', () => {
  const other = join(folder, 'other.json')
  const secret = saved('secret.jwk', api)
  const wrong: [string[], number, RegExp][] = [
    [[other, ...keys, '--api-key', secret], 1, /^\S+secret\.jwk is not the public key of an API [^\n]+\n$/],
    [
      [other, ...keys, '--operator', secret],
      1,
      /^\S+secret\.jwk is not the public key of an operator [^\n]+\n$/,
    ],
    [[other, ...keys, '--operator', join(folder, 'none')], 1, /cannot be read as JSON/],
    [[other, ...keys, '--quorum', '3'], 1, /^The manifest is malformed: quorum\.\n$/],
    [[other, ...keys, '--base-url', 'wallets.example'], 1, /^The manifest is malformed: configuration\.\n$/],
    [[other, ...keys, '--frame-sha256', 'AB'], 1, /^The manifest is malformed: configuration\.\n$/],
    [[other], 2, /^Usage: /],
    [keys, 2, /^Usage: /],
    [[other, ...keys, '--unknown'], 2, /^Usage: /],
  ]
  for (const [args, code, says] of wrong) {
    const made = make(...args)
    expect([made.code, made.out]).toEqual([code, ''])
    expect(made.err).toMatch(says)
    expect(made.err).not.toContain(api.d)
    expect(existsSync(manifestFileOf(other))).toBe(false)
    expect(existsSync(other)).toBe(false)
  }
}, 60_000)
