import { limits } from '@symbolon/api'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Sql } from '../db/pool.ts'
import { databaseLimiter, type Limiter } from './limiter.ts'

let database: TestDatabase
let pools: Sql[]
let processes: Limiter[]
const nowMs = 1_800_000_000_123

async function stopClock(atMs: number) {
  await database.sql.unsafe(`create or replace function app_now() returns timestamptz language sql volatile as
    'select to_timestamp(${atMs / 1000})'`)
}

beforeAll(async () => {
  database = await testDatabase()
  pools = [0, 1].map(() => openPool(database.url, { connectionsMax: 3 }))
  processes = pools.map(databaseLimiter)
  await stopClock(nowMs)
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })))
  await database.drop()
})

const take = (count: number, key: string, name: 's2s' | 'user-sign' = 's2s') =>
  Promise.all(Array.from({ length: count }, async (_, i) => processes[i % 2]?.acquire(name, key)))

test('two processes grant exactly the burst, and then exactly one per period', async () => {
  const granted = async (count: number) =>
    (await take(count, 'shared')).filter((grant) => grant?.isGranted).length
  await stopClock(nowMs)
  expect(await granted(200)).toBe(limits.s2s.burst)
  let passedMs = 0
  for (const [ms, expected] of [
    [33, 0],
    [1, 1],
    [999, 29],
    [1, 1],
    [0, 0],
    [500, 15],
    [60_000, 60],
  ] as const) {
    passedMs += ms
    await stopClock(nowMs + passedMs)
    expect({ passedMs, granted: await granted(80) }).toEqual({ passedMs, granted: expected })
  }
})

test('those who asked first pass first', async () => {
  await stopClock(nowMs)
  const one = processes[0]
  const answers = await Promise.all(Array.from({ length: 5 }, () => one?.acquire('user-sign', 'in order')))
  expect(answers.map((grant) => [grant?.isGranted, grant?.remaining])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
    [false, 0],
  ])
  expect(answers[4]).toMatchObject({ burst: 3, retrySeconds: 5, resetSeconds: 15 })
})

test('buckets of one moment do not mix: names and keys are apart', async () => {
  await stopClock(nowMs)
  const keys = Array.from({ length: 40 }, (_, i) => `key ${i}`)
  const answers = await Promise.all(
    keys.flatMap((key, i) => Array.from({ length: 5 }, () => processes[i % 2]?.acquire('user-sign', key))),
  )
  for (let i = 0; i < keys.length; i++) {
    expect(answers.slice(i * 5, i * 5 + 5).filter((grant) => grant?.isGranted)).toHaveLength(3)
  }
  expect((await take(3, 'key 0', 's2s')).every((grant) => grant?.isGranted)).toBe(true)
})

test('a clock that goes back grants nothing twice and locks nobody out', async () => {
  await stopClock(nowMs + 100_000)
  expect((await take(3, 'clock', 'user-sign')).every((grant) => grant?.isGranted)).toBe(true)
  await stopClock(nowMs + 99_000)
  expect((await take(1, 'clock', 'user-sign'))[0]).toMatchObject({ isGranted: false })
  await stopClock(nowMs + 105_000)
  expect((await take(2, 'clock', 'user-sign')).filter((grant) => grant?.isGranted)).toHaveLength(1)
})
