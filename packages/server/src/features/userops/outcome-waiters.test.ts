import { chainByHandle } from '@symbolon/networks/testing/by-intent'
import {
  builtRow,
  claimRow,
  followedRow,
  seedAccount,
  someLanding,
  type TestDatabase,
  testDatabase,
  testLog,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import type { EvmChain } from '../../ports/evm-chains.ts'
import { outcomeWaiters } from './outcome-waiters.ts'
import { settlementStore } from './settlement.store.ts'

let database: TestDatabase
let sql: Sql
const chain = { chain: chainByHandle('local') } as EvmChain

beforeAll(async () => {
  database = await testDatabase()
  sql = openPool(database.url, { connectionsMax: 4 })
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

/** Waiters over a settlement that only counts how often it is asked. */
function counted() {
  let looks = 0
  const settlement = {
    async follow() {
      looks += 1
      return false
    },
  }
  return { waiters: outcomeWaiters({ sql, settlement, log: testLog() }), looks: () => looks }
}

async function submitted() {
  const op = await builtRow(sql, await seedAccount(sql), 5n)
  await claimRow(sql, op)
  return op
}

async function timeOf(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work
  return performance.now() - startedAt
}

test('all who wait on a chain share its looks, and each wait ends at its limit', async () => {
  const { waiters, looks } = counted()
  const ops = await Promise.all(Array.from({ length: 10 }, submitted))
  const waits = ops.flatMap(({ hash }) => [waiters.wait(chain, hash, 800), waiters.wait(chain, hash, 800)])
  expect(await timeOf(Promise.all(waits))).toBeLessThan(1_200)
  expect(looks()).toBeGreaterThan(1)
  expect(looks()).toBeLessThan(8)
})

test('a wait ends as soon as the operation has come to an end, whoever brought it there', async () => {
  const { waiters } = counted()
  const [op, other] = [await submitted(), await submitted()]
  const patient = waiters.wait(chain, other.hash, 2_000)
  const wait = timeOf(waiters.wait(chain, op.hash, 5_000))
  await settlementStore.land(sql, followedRow(op), someLanding(1n))
  expect(await wait).toBeLessThan(1_000)
  waiters.stop()
  await patient
})

test('a process that ends answers all who wait, and makes nobody wait any more', async () => {
  const { waiters } = counted()
  const { hash } = await submitted()
  const wait = timeOf(waiters.wait(chain, hash, 5_000))
  setTimeout(waiters.stop, 100)
  expect(await wait).toBeLessThan(1_000)
  expect(await timeOf(waiters.wait(chain, hash, 5_000))).toBeLessThan(50)
})
