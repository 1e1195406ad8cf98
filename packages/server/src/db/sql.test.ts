import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failure } from '../runtime/failure.ts'
import { openPool, type Sql } from './pool.ts'

let database: TestDatabase
let sql: Sql
let sent: string[]

beforeAll(async () => {
  database = await testDatabase()
  sql = openPool(database.url, { connectionsMax: 2, onStatement: ({ text }) => void sent.push(text) })
  sent = []
  await sql`create table kept (n integer primary key)`
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

const kept = async () => (await sql<{ n: number }[]>`select n from kept order by n`).map(({ n }) => n)

test('values travel apart from the text, fragments become part of it, and nothing is sent before it is awaited', async () => {
  sent = []
  const hostile = `'; drop table kept; --`
  const positive = sql`and ${1}::integer > ${0}::integer`
  const statement = sql<{ text: string }[]>`
    select ${hostile}::text as ${sql.identifier('te"xt')} where true ${positive} ${sql.unsafe('limit 1')}`
  expect(sent).toEqual([])
  const [first, second] = await Promise.all([statement, statement])
  expect(first).toEqual([{ 'te"xt': hostile }])
  expect(second).toBe(first)
  expect(sent.map((text) => text.trim())).toEqual([
    'select $1::text as "te""xt" where true and $2::integer > $3::integer limit 1',
  ])
})

test.each([undefined, { a: 1 }, () => 1, Symbol('s')])('%s is not a value', async (wrong) => {
  await expect(sql`select ${wrong as never}::text`).rejects.toThrow(TypeError)
  await expect(sql`select ${[wrong] as never}::text[]`).rejects.toThrow(TypeError)
})

test('a transaction whose statement failed unheard is not taken for committed', async () => {
  const attempt = sql.begin(async (tx) => {
    await tx`insert into kept values (1)`
    await tx`select 1 / 0`.catch(() => {})
  })
  await expect(attempt).rejects.toThrow('after one of its statements had failed')
  expect(await kept()).toEqual([])
})

test('a failed savepoint undoes its own work only', async () => {
  await sql.begin(async (tx) => {
    await tx`insert into kept values (1)`
    const inner = tx.savepoint(async (point) => {
      await point`insert into kept values (2)`
      throw new Error('undone')
    })
    await expect(inner).rejects.toThrow('undone')
    await tx`insert into kept values (3)`
  })
  expect(await kept()).toEqual([1, 3])
})

test('a transaction whose work returns a failure is rolled back, and so is a savepoint, by itself', async () => {
  const refused = await sql.begin(async (tx) => {
    await tx`insert into kept values (5)`
    return failure('not_found', { message: 'Nothing has this id.' })
  })
  expect(refused).toEqual({ kind: 'error', code: 'not_found', message: 'Nothing has this id.' })
  const inner = await sql.begin(async (tx) => {
    await tx`delete from kept where n = 3`
    const undone = await tx.savepoint(async (point) => {
      await point`insert into kept values (6)`
      return failure('wallet_exists')
    })
    await tx`insert into kept values (3)`
    return undone.code
  })
  expect(inner).toBe('wallet_exists')
  expect(await kept()).toEqual([1, 3])
})

test('a statement of a transaction that is over is refused, and runs on nobody’s connection', async () => {
  const left = await sql.begin(async (tx) => () => tx`insert into kept values (4)`)
  await expect(left()).rejects.toThrow('is over')
  expect(await kept()).toEqual([1, 3])
})

test('a statement whose columns a migration has changed goes on', async () => {
  const read = () => sql`select * from kept where n = 1`
  expect(await Promise.all([read(), read()])).toEqual([[{ n: 1 }], [{ n: 1 }]])
  await database.sql`alter table kept add column more integer`
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 2, 3].map(() => [{ n: 1, more: null }]))
})
