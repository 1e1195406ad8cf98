import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resultOf, runSymbolon } from './run-symbolon.ts'

const empty = mkdtempSync(path.join(tmpdir(), 'symbolon-none-'))
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  await database.sql.unsafe('drop schema public cascade; create schema public')
})
afterAll(async () => {
  rmSync(empty, { recursive: true, force: true })
  await database.drop()
})

// wrong-usage.test.ts of the command has the other kinds, without a process for each.
test('wrong usage ends with 2 and nothing on the standard output', async () => {
  const { code, stdout, stderr } = await runSymbolon(['enclave', 'status', '--nothing'], {
    SYMBOLON_DATA_DIR: empty,
  })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).not.toMatch(/\n {4}at /)
})

test('help that is asked for is a result', async () => {
  const { code, stdout, stderr } = await runSymbolon(['enclave', '--help'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('rotate')
})

test('without an installation a command fails with a sentence that says what to do', async () => {
  expect(await runSymbolon(['enclave', 'status', '--json'], { SYMBOLON_DATA_DIR: empty })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'symbolon: No installation was found: run npm start first, or set DATABASE_URL.\n',
  })
})

test('every missing setting of production has its line, and no value is repeated', async () => {
  const { code, stderr } = await runSymbolon(['enclave', 'rotate'], {
    SYMBOLON_DATA_DIR: empty,
    DATABASE_URL: 'postgres://someone:hidden@127.0.0.1:1/none',
  })
  expect(code).toBe(1)
  expect(stderr).toBe(
    'symbolon: ENCLAVE_SOCKET is missing.\nsymbolon: ENCLAVE_API_KEY is missing.\nsymbolon: ENCLAVE_MEASUREMENTS is missing.\n',
  )
})

test('a database out of reach is one sentence without its password', async () => {
  const { code, stderr } = await runSymbolon(['migrate'], {
    DATABASE_URL: 'postgres://someone:hidden@127.0.0.1:1/none',
  })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^symbolon: The database at DATABASE_URL is out of reach .*\n$/)
  expect(stderr).not.toContain('hidden')
})

test('a command for a start that was stopped says that its database stopped with it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-stopped-'))
  const ended = spawnSync(process.execPath, ['-e', '0']).pid
  const start = {
    enclave: { socket: 'none' },
    attestation_root: '',
    processes: [{ role: 'database', pid: ended }],
  }
  mkdirSync(path.join(folder, 'secrets'))
  writeFileSync(path.join(folder, 'dev.json'), JSON.stringify(start))
  writeFileSync(path.join(folder, 'secrets', 'database.url'), 'postgres://someone:hidden@127.0.0.1:1/none')
  try {
    const { code, stderr } = await runSymbolon(['migrate', '--dry-run'], { SYMBOLON_DATA_DIR: folder })
    expect([code, stderr]).toEqual([
      1,
      'symbolon: npm start is not running, and its database stops with it: run npm start, and then this command in another terminal.\n',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('migrate brings an empty database to the schema of the build, and a dry run changes nothing', async () => {
  const environment = { DATABASE_URL: database.url }
  const planned = (await resultOf(['migrate', '--dry-run'], environment)) as {
    to: number
    pending: unknown[]
  }
  expect(planned).toMatchObject({ from: 0, applied: false })
  expect(await resultOf(['migrate'], environment)).toEqual({ ...planned, applied: true })
  expect(await resultOf(['migrate'], environment)).toEqual({
    from: planned.to,
    to: planned.to,
    pending: [],
    applied: false,
  })
})

test('a key of the API is made once, for its owner alone, and its private part is printed nowhere', async () => {
  const out = path.join(empty, 'api-key.json')
  const { code, stdout } = await runSymbolon(['enclave', 'api-key', '--out', out, '--json'])
  expect(code).toBe(0)
  const { d, ...key } = JSON.parse(readFileSync(out, 'utf8')) as { d: string }
  expect(key).toEqual({ kty: 'OKP', crv: 'X25519', x: expect.stringMatching(/^[\w-]{43}$/) })
  expect(JSON.parse(stdout)).toEqual(key)
  expect(stdout).not.toContain(d)
  expect(statSync(out).mode & 0o777).toBe(0o600)
  expect(await runSymbolon(['enclave', 'api-key', '--out', out])).toMatchObject({
    code: 1,
    stderr: `symbolon: ${out} cannot be made (EEXIST).\n`,
  })
})

test.each([['00000000-0000-4000-8000-000000000000'], ["'; --"]])(
  'no organization %s is a sentence',
  async (id) => {
    expect(
      await runSymbolon(['org', 'quota', id, '--user-signs-per-minute', '60', '--json'], {
        DATABASE_URL: database.url,
      }),
    ).toEqual({ code: 1, stdout: '', stderr: `symbolon: There is no organization ${id}.\n` })
  },
)

test('the verifier is a command too: without an installation, with its own options, words and exit codes', async () => {
  const settings = { SYMBOLON_DATA_DIR: empty }
  const help = await runSymbolon(['verify', '--help'], settings)
  expect(help).toMatchObject({ code: 0, stdout: '' })
  for (const part of ['attestation', 'receipt', 'export'])
    expect(help.stderr).toContain(`symbolon verify ${part} <`)
  expect((await runSymbolon(['--help'])).stdout).toMatch(/^ {2}verify /m)
  expect(await runSymbolon(['verify', 'receipt'], settings)).toMatchObject({ code: 2, stdout: '' })
  expect(await runSymbolon(['verify', 'attestation', path.join(empty, 'absent')], settings)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('absent'),
  })
  const log = path.join(empty, 'empty.jsonl')
  writeFileSync(log, '')
  const { code, stdout } = await runSymbolon(['verify', 'export', log, '--json'], settings)
  expect([code, JSON.parse(stdout)]).toEqual([3, expect.objectContaining({ verdict: 'unproven' })])
})
