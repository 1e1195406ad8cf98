import { readdirSync, readFileSync } from 'node:fs'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, ownBuild } from './migrate.ts'
import { calleesFirst, functionOf, readFunctions } from './sql-functions.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.drop())

const build = (...texts: string[]) => {
  const own = ownBuild()
  const made = texts.map((text) => functionOf(/function (\w+)/.exec(text)?.[1] ?? '', text))
  const names = made.map(({ name }) => name)
  return { ...own, functions: [...own.functions.filter(({ name }) => !names.includes(name)), ...made] }
}
const sum = (a: string, body: string) =>
  `create or replace function app_sum(${a}) returns integer language sql as $$ select ${body} $$;`
const signatures = () =>
  database.sql`select oid::regprocedure::text as name from pg_proc where proname = 'app_sum'`

test('a function whose text changed is replaced, all others are left as they are', async () => {
  expect((await migrate(database.sql, build(sum('a integer', 'a')))).functions).toEqual(['app_sum'])
  const [before] = await database.sql`select 'app_sum'::regproc::oid as oid`
  expect(await migrate(database.sql, build(sum('a integer', 'a + 1')))).toMatchObject({
    functions: ['app_sum'],
    applied: true,
  })
  expect(await database.sql`select app_sum(1) as n, 'app_sum'::regproc::oid as oid`).toEqual([
    { n: 2, ...before },
  ])
})

test('a function whose arguments or result changed leaves nothing of its former self beside it', async () => {
  await migrate(database.sql, build(sum('a integer', 'a')))
  await migrate(database.sql, build(sum('a integer, b integer', 'a + b')))
  expect(await signatures()).toEqual([{ name: 'app_sum(integer,integer)' }])
  await migrate(
    database.sql,
    build(sum('a integer, c integer', 'a + c').replace('integer language', 'bigint language')),
  )
  expect(await database.sql`select pg_typeof(app_sum(a => 1, c => 2))::text as type`).toEqual([
    { type: 'bigint' },
  ])
})

test('a trigger follows its function', async () => {
  const trigger = (
    change: string,
  ) => `create or replace function stamp_key() returns trigger language plpgsql as $$
    begin new.name := new.name || '${change}'; return new; end $$;
    create or replace trigger stamp_key before update on outbox for each row execute function stamp_key();`
  await migrate(database.sql, build(trigger('1')))
  await migrate(database.sql, build(trigger('2')))
  expect(await database.sql`select tgname from pg_trigger where tgname = 'stamp_key'`).toHaveLength(1)
})

test('functions are created before their callers, and a circle is refused', () => {
  const made = ['f', 'g', 'h'].map((name, i) =>
    functionOf(
      name,
      `create or replace function ${name}() returns integer language sql as $$ select ${'ghx'[i]}() $$`,
    ),
  )
  expect(calleesFirst(made).map(({ name }) => name)).toEqual(['h', 'g', 'f'])
  const back = functionOf(
    'x',
    'create or replace function x() returns integer language sql as $$ select f() $$',
  )
  expect(() => calleesFirst([...made, back])).toThrow('calls itself')
})

test('each file defines the function of its name, and the database has no other', async () => {
  const rows = await database.sql<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace order by proname`
  expect(rows.map(({ name }) => name)).toEqual(
    readFunctions()
      .map(({ name }) => name)
      .sort(),
  )
  expect(() => functionOf('other', sum('a integer', 'a'))).toThrow('must define')
})

test('every function of the database has a caller', () => {
  const folder = new URL('../', import.meta.url)
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|sql)$/.test(path) && !/\.test\.ts$|^testing\/|^db\/migrations\//.test(path))
    .map((path) => readFileSync(new URL(path, folder), 'utf8'))
  const called = (name: string) => new RegExp(`(?<!create or replace function )\\b${name}\\(`)
  const names = readFunctions().map(({ name }) => name)
  expect(names.filter((name) => !texts.some((text) => called(name).test(text)))).toEqual([])
})
