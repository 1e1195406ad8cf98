import { createHash } from 'node:crypto'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, readMigrations } from './migrate.ts'
import { openPool } from './pool.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.drop())

const migration = (name: string, text: string) => ({
  name,
  text,
  checksum: createHash('sha256').update(text).digest('hex'),
})
const next = migration('9000_next.sql', 'create table next (a integer); insert into next values (1)')
const count = async () => (await database.sql`select count(*)::integer as n from next`)[0]?.['n']

test('a migrated database is left as it is', async () => {
  expect(await migrate(database.sql)).toEqual({ applied: [] })
})

test('a new file is applied once, though many processes start at once', async () => {
  const pools = [0, 1, 2, 3].map(() => openPool(database.url, { connectionsMax: 1 }))
  const all = [...readMigrations(), next]
  const results = await Promise.all(pools.map((pool) => migrate(pool, all)))
  expect(results.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 0, 1])
  expect(await count()).toBe(1)
  await Promise.all(pools.map((pool) => pool.end()))
})

test('a file that fails leaves nothing behind, not even those before it', async () => {
  const broken = migration('9001_broken.sql', 'create table half (a integer); select no_such_function()')
  await expect(migrate(database.sql, [...readMigrations(), next, broken])).rejects.toThrow()
  const rows = await database.sql`select to_regclass('next') as next, to_regclass('half') as half`
  expect(rows[0]).toEqual({ next: null, half: null })
  expect(await migrate(database.sql, [...readMigrations(), next])).toEqual({ applied: [next.name] })
})

test('a file that was changed after it was applied stops the start', async () => {
  const [first, ...rest] = readMigrations()
  const changed = migration(first?.name ?? '', `${first?.text} `)
  await expect(migrate(database.sql, [changed, ...rest])).rejects.toThrow(/was changed/)
})

test('a database ahead of this build, or of another history, stops the start', async () => {
  const known = readMigrations()
  await expect(migrate(database.sql, known.slice(0, -1))).rejects.toThrow(/this build has not/)
  const inserted = [migration('0000_other.sql', ''), ...known]
  await expect(migrate(database.sql, inserted)).rejects.toThrow(/this build has not/)
})
