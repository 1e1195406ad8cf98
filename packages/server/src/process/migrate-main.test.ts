import { spawnSync } from 'node:child_process'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readMigrations } from '../db/read-migrations.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  await database.sql.unsafe('drop schema public cascade; create schema public')
})
afterAll(() => database.drop())

/** `npm run migrate -- <options>` */
function run(options: string[], url = database.url) {
  const environment = { PATH: process.env['PATH'], DATABASE_URL: url }
  const { status, stdout, stderr } = spawnSync(process.execPath, [inject('migrateEntry'), ...options], {
    env: environment,
  })
  return { status, stdout: String(stdout), stderr: String(stderr) }
}

const migrations = readMigrations()
const newest = migrations.length
const pending = migrations.map(({ version, name, phase, transactional }) => ({
  version,
  name,
  phase,
  transactional,
}))
const report = (options: string[]) => JSON.parse(run(options).stdout) as unknown

test('a dry run reports what is missing, a run applies it, and the next one finds nothing', () => {
  expect(report(['--dry-run', '--json'])).toEqual({ from: 0, to: newest, pending, applied: false })
  expect(run(['--dry-run']).stdout).toMatch(
    /^Would apply, from schema 0 to \d+:\n {2}1 schema \(expand\)\n(?: {2}\d+ \w+ \(\w+\)\n)* {2}\d+ functions\n$/,
  )
  expect(report(['--json'])).toEqual({ from: 0, to: newest, pending, applied: true })
  expect(report(['--json'])).toEqual({ from: newest, to: newest, pending: [], applied: false })
  expect(run([])).toEqual({
    status: 0,
    stdout: `The database is at schema ${newest}: nothing to do.\n`,
    stderr: '',
  })
})

test('a failed migration ends with one line that says why, without the password', async () => {
  expect(run([], '')).toMatchObject({
    status: 78,
    stderr: 'symbolon: DATABASE_URL: it must be a postgres:// URL.\n',
  })
  const refused = run([], 'postgres://someone:hidden@127.0.0.1:1/none')
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/^symbolon: .*ECONNREFUSED.*\n$/),
  ])
  expect(refused.stderr).not.toContain('hidden')
  expect(run(['--now']).status).toBe(2)
})

test('a URL of several hosts migrates the one that answers', () => {
  const url = new URL(database.url)
  const several = database.url.replace(url.host, `127.0.0.1:1,${url.host}`)
  expect(run([], several)).toMatchObject({ status: 0, stderr: '' })
})
