import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Build, migrate, ownBuild, planMigration } from './migrate.ts'
import { openPool } from './pool.ts'
import { migrationOf, readMigrations } from './read-migrations.ts'
import { functionOf } from './sql-functions.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.drop())

const own = ownBuild()
const count = own.migrations.length
/** This build with further migrations, given by header and statements, and further functions. */
const later = (texts: readonly [string, string][], functions: Build['functions'] = []): Build => ({
  migrations: [
    ...own.migrations,
    ...texts.map(([header, text], i) => migrationOf(count + 1 + i, 'later', `-- phase: ${header}\n${text}`)),
  ],
  functions: [...own.functions, ...functions],
})
const next = ['expand', 'create table next (a integer); insert into next values (1)'] as const
const withNext = later([[...next]])
const rowsOfNext = async () => (await database.sql`select count(*)::integer as n from next`)[0]?.['n']
const schema = async () => (await database.sql`select * from symbolon_schema`)[0]
const isThere = async (name: string) =>
  (await database.sql`select to_regclass(${name}) is not null as is_there`)[0]?.['is_there']

test('a migrated database is left as it is', async () => {
  expect(await migrate(database.sql)).toEqual({
    from: count,
    to: count,
    pending: [],
    functions: [],
    applied: false,
  })
  expect(await schema()).toEqual({ version: count, oldest_build: 1 })
})

test('a new migration is applied once, though many processes start at once', async () => {
  const pools = [0, 1, 2, 3].map(() => openPool(database.url, { connectionsMax: 1 }))
  const results = await Promise.all(pools.map((pool) => migrate(pool, withNext)))
  expect(results.filter(({ applied }) => applied)).toHaveLength(1)
  expect(await rowsOfNext()).toBe(1)
  await Promise.all(pools.map((pool) => pool.end()))
})

test('an empty database is migrated once, though many processes start at once', async () => {
  await database.sql.unsafe('drop schema public cascade; create schema public')
  const pools = [0, 1, 2, 3].map(() => openPool(database.url, { connectionsMax: 1 }))
  const results = await Promise.all(pools.map((pool) => migrate(pool)))
  expect(results.filter(({ applied }) => applied)).toHaveLength(1)
  expect(await schema()).toEqual({ version: count, oldest_build: 1 })
  await Promise.all(pools.map((pool) => pool.end()))
})

test('a migration that fails leaves nothing behind, not even those before it', async () => {
  const broken = later([[...next], ['expand', 'create table half (a integer); select no_such_function()']])
  await expect(migrate(database.sql, broken)).rejects.toThrow()
  expect([await isThere('next'), await isThere('half')]).toEqual([false, false])
  expect((await migrate(database.sql, withNext)).pending.map(({ version }) => version)).toEqual([count + 1])
})

test('a function that fails takes the migrations before it along', async () => {
  const broken = functionOf(
    'broken',
    'create or replace function broken() returns integer language sql as $$ oops $$',
  )
  await expect(migrate(database.sql, later([[...next]], [broken]))).rejects.toThrow()
  expect(await isThere('next')).toBe(false)
})

test('a migration that was changed after it was applied stops the start', async () => {
  const [first, ...rest] = own.migrations
  const changed = migrationOf(1, first?.name ?? '', `${first?.text} `)
  const error = { name: 'SchemaError', reason: 'unreleased', message: expect.stringContaining('was changed') }
  await expect(migrate(database.sql, { ...own, migrations: [changed, ...rest] })).rejects.toMatchObject(error)
  const renamed = migrationOf(1, 'other', first?.text ?? '')
  await expect(migrate(database.sql, { ...own, migrations: [renamed, ...rest] })).rejects.toMatchObject(error)
})

test('tables of an unreleased version stop the start and stay as they are', async () => {
  await database.sql.unsafe(`drop schema public cascade; create schema public;
    create table schema_migrations (name text primary key, checksum text not null); create table wallets (id integer)`)
  const error = { name: 'SchemaError', reason: 'unreleased', message: expect.stringContaining('unreleased') }
  await expect(migrate(database.sql)).rejects.toMatchObject(error)
  await expect(planMigration(database.sql)).rejects.toMatchObject(error)
  expect([await isThere('wallets'), await isThere('symbolon_schema')]).toEqual([true, false])
})

test('a build behind the schema starts on it and leaves its functions alone', async () => {
  const sum = functionOf(
    'app_sum',
    'create or replace function app_sum() returns integer language sql as $$ select 2 $$',
  )
  await migrate(database.sql, later([[...next]], [sum]))
  const former = functionOf('app_sum', sum.text.replace('2', '1'))
  expect(await migrate(database.sql, { ...own, functions: [...own.functions, former] })).toMatchObject({
    from: count + 1,
    to: count + 1,
    functions: [],
    applied: false,
  })
  expect((await database.sql`select app_sum() as n`)[0]).toEqual({ n: 2 })
})

test('a contract migration stops builds below the one that it names', async () => {
  await migrate(database.sql, later([[...next], [`contract, oldest build ${count + 1}`, 'drop table next']]))
  expect(await schema()).toEqual({ version: count + 2, oldest_build: count + 1 })
  await expect(migrate(database.sql)).rejects.toMatchObject({ name: 'SchemaError', reason: 'newer' })
  await expect(migrate(database.sql, withNext)).resolves.toMatchObject({ applied: false })
})

test('an index is built concurrently between two migrations, by one of many processes, and again after a death', async () => {
  const index =
    'drop index concurrently if exists next_a;\n-- The index.\ncreate index concurrently next_a on next (a);\n'
  const build = later([
    [...next],
    ['expand, not transactional', index],
    ['migrate', 'insert into next values (2)'],
  ])
  expect((await planMigration(database.sql, build)).pending).toEqual([
    { version: count + 1, name: 'later', phase: 'expand', transactional: true },
    { version: count + 2, name: 'later', phase: 'expand', transactional: false },
    { version: count + 3, name: 'later', phase: 'migrate', transactional: true },
  ])
  const pools = [0, 1, 2].map(() => openPool(database.url, { connectionsMax: 1, isPatient: true }))
  await Promise.all(pools.map((pool) => migrate(pool, build)))
  expect(await rowsOfNext()).toBe(2)
  const valid = () => database.sql`select indisvalid from pg_index where indexrelid = 'next_a'::regclass`
  expect(await valid()).toEqual([{ indisvalid: true }])

  // As after a death between the two: the index is there, its version is not noted.
  await database.sql`delete from symbolon_migrations where version > ${count + 1}`
  await database.sql`update symbolon_schema set version = ${count + 1}`
  expect(await migrate(database.sql, later([[...next], ['expand, not transactional', index]]))).toMatchObject(
    {
      from: count + 1,
      to: count + 2,
      applied: true,
    },
  )
  expect(await valid()).toEqual([{ indisvalid: true }])
  await Promise.all(pools.map((pool) => pool.end()))
})

test('a process that waits for another one ends its transaction each time, so that no index waits for it', async () => {
  const migrator = await database.sql.reserve()
  await migrator`select pg_advisory_lock(5147202611)`
  const pool = openPool(database.url, { connectionsMax: 1, isPatient: true })
  const waiting = migrate(pool, withNext)
  const seen = new Set<string>()
  const transactions = async () => {
    for (const { pid, xact_start } of await database.sql`
      select pid, xact_start::text from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`)
      seen.add(`${pid} ${xact_start}`)
    return seen.size
  }
  await expect.poll(transactions, { interval: 5 }).toBeGreaterThan(2)
  await migrator`select pg_advisory_unlock(5147202611)`
  migrator.release()
  expect(await waiting).toMatchObject({ applied: true })
  await pool.end()
})

test('a dry run says what is missing and changes nothing, not even in an empty database', async () => {
  expect(await planMigration(database.sql, withNext)).toEqual({
    from: count,
    to: count + 1,
    pending: [{ version: count + 1, name: 'later', phase: 'expand', transactional: true }],
    functions: [],
  })
  expect(await isThere('next')).toBe(false)
  await database.sql.unsafe('drop schema public cascade; create schema public')
  const plan = await planMigration(database.sql)
  expect([plan.from, plan.to, plan.pending.length, plan.functions]).toEqual([
    0,
    count,
    count,
    own.functions.map(({ name }) => name),
  ])
  expect(await database.sql`select 1 from pg_class where relnamespace = 'public'::regnamespace`).toEqual([])
})

test('a header that names no phase, or no build that a contract leaves behind, is refused', () => {
  expect(() => migrationOf(1, 'a', 'create table a ()')).toThrow('phase')
  expect(() => migrationOf(1, 'a', '-- phase: contract\n')).toThrow('phase')
  expect(() => migrationOf(1, 'a', '-- phase: expand, oldest build 1\n')).toThrow('phase')
  expect(readMigrations()[0]).toMatchObject({
    version: 1,
    name: 'schema',
    phase: 'expand',
    transactional: true,
  })
})
