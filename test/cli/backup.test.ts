import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { seedOrganization, type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { until } from '@symbolon/testing/wait'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resultOf, runSymbolon } from './run-symbolon.ts'

type Manifest = {
  epoch: number
  ring_id: string | null
  schema_version: number
  taken_at: string
  checkpoints: { organization_id: string; tree_size: number; root_hash: string }[]
  parts: { table: string; columns: string[]; file: string; bytes: number; sha256: string }[]
}

const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-backup-'))
const ringId = 'r'.repeat(43)
let database: TestDatabase
let environment: { DATABASE_URL: string }
let organizationId: string

beforeAll(async () => {
  database = await testDatabase()
  environment = { DATABASE_URL: database.url }
  organizationId = (await seedOrganization(database.sql)).id
  await database.sql`insert into enclave_rings (id) values (${ringId})`
  // Something to copy for a while, between the two tables that the test compares.
  await database.sql`
    insert into portal_users (id, email, name)
    select gen_random_uuid(), n || '@example.test', repeat(e'tab\t line\n back\\slash ', 40)
    from generate_series(1, 40000) n`
  await database.sql`insert into usage_days (organization_id, day, kind, amount) values (${organizationId}, '2026-01-01', 'sign', 0)`
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

const manifestOf = (name: string) =>
  JSON.parse(readFileSync(path.join(folder, name, 'manifest.json'), 'utf8')) as Manifest

/** The rows of a table in a backup, as objects of PostgreSQL's text values. */
function rowsOf(name: string, table: string): Record<string, string>[] {
  const part = manifestOf(name).parts.find((each) => each.table === table)
  if (part === undefined) throw new Error(`The backup has no ${table}.`)
  const lines = readFileSync(path.join(folder, name, part.file), 'utf8')
    .split('\n')
    .slice(0, -1)
  return lines.map((line) => Object.fromEntries(line.split('\t').map((value, i) => [part.columns[i], value])))
}

test('a backup taken while the service writes is of one moment, whole, and only its owner reads it', async () => {
  let isDone = false
  let written = 0
  const writing = (async () => {
    for (; !isDone; written += 1)
      await database.sql.begin(async (tx) => {
        await tx`update usage_days set amount = amount + 1`
        await tx`update organization_counters set wallets = wallets + 1`
      })
  })()
  const report = await resultOf(['backup', '--to', path.join(folder, 'one')], environment)
  isDone = true
  await writing
  const manifest = manifestOf('one')
  expect(report).toMatchObject({
    folder: path.join(folder, 'one'),
    epoch: 1,
    ring_id: ringId,
    organizations: 1,
  })
  const [counter] = rowsOf('one', 'organization_counters')
  const [usage] = rowsOf('one', 'usage_days')
  expect(usage?.['amount']).toBe(counter?.['wallets'])
  expect(written).toBeGreaterThan(Number(usage?.['amount']))

  const tables = await database.sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relpersistence = 'p' and relname !~ '^symbolon_' order by 1`
  expect(manifest.parts.map(({ table }) => table).sort()).toEqual(tables.map(({ name }) => name).sort())
  for (const { file, sha256, bytes } of manifest.parts) {
    const content = readFileSync(path.join(folder, 'one', file))
    expect([file, createHash('sha256').update(content).digest('hex'), content.length]).toEqual([
      file,
      sha256,
      bytes,
    ])
    expect(statSync(path.join(folder, 'one', file)).mode & 0o777).toBe(0o600)
  }
  expect(statSync(path.join(folder, 'one')).mode & 0o777).toBe(0o700)
  expect(rowsOf('one', 'portal_users')).toHaveLength(40_000)
  expect(manifest.checkpoints).toEqual([
    { organization_id: organizationId, tree_size: 0, root_hash: createHash('sha256').digest('base64') },
  ])
})

test('a folder that has something is left alone', async () => {
  const before = manifestOf('one')
  const { code, stderr } = await runSymbolon(['backup', '--to', path.join(folder, 'one')], environment)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^symbolon: .* is not empty: a backup needs/)])
  expect(manifestOf('one')).toEqual(before)
  mkdirSync(path.join(folder, 'empty'))
  await resultOf(['backup', '--to', path.join(folder, 'empty')], environment)
  expect(manifestOf('empty').parts).toHaveLength(before.parts.length)
})

test('a backup that is killed halfway leaves nothing under its name', async () => {
  const bin = path.resolve(import.meta.dirname, '../../packages/cli/bin/symbolon.js')
  // A lock that the copy of one table waits for: it is in the middle of its work.
  const holder = await database.sql.reserve()
  await holder`begin`
  await holder`lock table wallets in access exclusive mode`
  const child = spawn(process.execPath, [bin, 'backup', '--to', path.join(folder, 'killed')], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: 'ignore',
    detached: true,
  })
  await until(() => readdirSync(folder).some((name) => name.startsWith('killed.unfinished')))
  await until(async () => {
    const rows =
      await database.sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like 'copy%'`
    return rows.length > 0
  })
  expect(existsSync(path.join(folder, 'killed'))).toBe(false)
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  await holder`rollback`
  holder.release()
  expect(existsSync(path.join(folder, 'killed'))).toBe(false)
  expect(readdirSync(folder).filter((name) => name.startsWith('killed'))).toHaveLength(1)
})

test('a backup that fails leaves nothing behind, and says why in a sentence', async () => {
  const { code, stdout, stderr } = await runSymbolon(
    ['backup', '--to', path.join(folder, 'failed'), '--json'],
    {
      DATABASE_URL: 'postgres://someone:hidden@127.0.0.1:1/none',
    },
  )
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^symbolon: The database at DATABASE_URL is out of reach .*\n$/)
  expect(readdirSync(folder).filter((name) => name.startsWith('failed'))).toEqual([])
  expect((await runSymbolon(['backup'], environment)).code).toBe(2)
})
