import { type TestDatabase, type TestPooler, testDatabase, testPooler } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDatabaseUnavailable, openPool, PoolerError, refusePooler } from './pool.ts'

let database: TestDatabase
let tracking: TestPooler
let passing: TestPooler

beforeAll(async () => {
  database = await testDatabase()
  tracking = await testPooler(database.url, { isTracking: true })
  passing = await testPooler(database.url, { isTracking: false })
})
afterAll(async () => {
  await Promise.all([tracking.close(), passing.close()])
  await database.drop()
})

const through = ({ port }: TestPooler) => {
  const url = new URL(database.url)
  url.port = String(port)
  return url.href
}

test('a pooler in transaction mode that mixes up prepared statements is refused by name, each time', async () => {
  for (let i = 0; i < 20; i++) {
    const refusal = await refusePooler(through(passing)).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(PoolerError)
    expect((refusal as Error).message).toMatch(/pooler in transaction mode.*pgbouncer 1\.21/)
  }
})

test('one that keeps them apart is taken, and so is the database itself', async () => {
  for (let i = 0; i < 5; i++) await refusePooler(through(tracking))
  await refusePooler(database.url)
})

test('one whose commits would not be durable is refused', async () => {
  const name = new URL(database.url).pathname.slice(1)
  await database.sql.unsafe(`alter database ${name} set synchronous_commit = off`)
  const lossy = await testPooler(database.url, { isTracking: true })
  await expect(refusePooler(through(lossy))).rejects.toThrow('synchronous_commit = off')
  await database.sql.unsafe(`alter database ${name} reset synchronous_commit`)
  await lossy.close()
})

test('a database that is out of reach is not the pooler’s fault', async () => {
  const refusal = await refusePooler('postgres://nobody@127.0.0.1:1/none').catch((error: unknown) => error)
  expect(refusal).not.toBeInstanceOf(PoolerError)
  expect(isDatabaseUnavailable(refusal)).toBe(true)
})

test('more clients than connections get their own rows, in statements and transactions, while others fail', async () => {
  const sql = openPool(through(tracking), { connectionsMax: 8 })
  await sql`create table counted (n integer primary key, by integer not null)`
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      if (n % 10 === 7)
        return (await sql`select 1 / ${0}::integer`.catch(
          (error: unknown) => (error as Error).message,
        )) as string
      const [own] = await sql<{ n: number }[]>`select ${n}::integer as n`
      const inside = await sql.begin(async (tx) => {
        await tx`insert into counted values (${n}, ${n * 2})`
        const [row] = await tx<{ by: number }[]>`select by from counted where n = ${n}`
        await tx.savepoint((inner) => inner`insert into counted values (${n}, 0)`).catch(() => {})
        return row?.by
      })
      return own?.n === n && inside === n * 2 ? 'own rows' : 'rows of another'
    }),
  )
  expect(new Set(outcomes)).toEqual(new Set(['own rows', 'division by zero']))
  expect((await sql<{ n: number }[]>`select count(*)::integer as n from counted`)[0]?.n).toBe(180)
  await sql.end()
})
