import { limits, raisedLimit } from '@symbolon/api'
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

test("an operator's figure holds for its bucket alone, from one request to the next, in both directions", async () => {
  await stopClock(nowMs)
  const ask = (count: number, key: string, limit = raisedLimit(limits['user-sign'], 600)) =>
    Promise.all(
      Array.from({ length: count }, (_, i) => processes[i % 2]?.acquire('user-sign', key, 1, limit)),
    )
  const granted = async (...asked: Parameters<typeof ask>) =>
    (await ask(...asked)).filter((grant) => grant?.isGranted).length
  expect(await granted(200, 'raised')).toBe(150)
  expect((await ask(1, 'raised'))[0]).toMatchObject({
    isGranted: false,
    burst: 150,
    retrySeconds: expect.closeTo(0.1),
  })
  expect(await granted(5, 'documented', limits['user-sign'])).toBe(3)
  await stopClock(nowMs + 15_000)
  expect(await granted(5, 'raised', limits['user-sign'])).toBe(3)
  await stopClock(nowMs + 30_000)
  expect(await granted(5, 'raised')).toBe(5)
})

test('a request of several units passes whole or not at all, and those behind it that still fit pass', async () => {
  await stopClock(nowMs)
  const [one] = processes
  const ask = (weights: number[], key: string, name: 's2s' | 'user-sign' = 's2s') =>
    Promise.all(weights.map((weight) => one?.acquire(name, key, weight)))
  const granted = async (weights: number[], key: string) =>
    (await ask(weights, key)).map((grant) => [grant?.isGranted, grant?.remaining])
  // A bucket that nobody has used yet, and one that has a row.
  expect(await granted([50, 11, 4, 7, 6], 'heavy')).toEqual([
    [true, 10],
    [false, 10],
    [true, 6],
    [false, 6],
    [true, 0],
  ])
  await stopClock(nowMs + 1_000)
  expect(await granted([16, 16, 1], 'heavy')).toEqual([
    [true, 14],
    [false, 14],
    [true, 13],
  ])
  const [, refused] = await ask([1, 16], 'heavy')
  expect(refused).toMatchObject({ isGranted: false, remaining: 12 })
  // 4 units more than are there: 4 periods of 1/30 s.
  expect(refused?.retrySeconds).toBeCloseTo(4 / 30, 3)
  // Never more than the burst.
  expect(await ask([16], 'whole', 'user-sign')).toMatchObject([{ isGranted: true, remaining: 0 }])
  expect(await ask([1], 'whole', 'user-sign')).toMatchObject([{ isGranted: false, retrySeconds: 5 }])
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
