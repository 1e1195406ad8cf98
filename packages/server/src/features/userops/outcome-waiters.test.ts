import { chainByHandle } from '@symbolon/networks/testing/by-intent'
import {
  builtRow,
  claimRow,
  followedRow,
  seedAccount,
  someConfirmation,
  type TestDatabase,
  testDatabase,
  testLog,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import type { ChainMetrics } from '../../ports/chain-metrics.ts'
import type { EvmChain } from '../../ports/evm-chains.ts'
import { EvmRpcError } from '../../ports/evm-rpc.ts'
import { outcomeWaiters } from './outcome-waiters.ts'
import { settlementStore } from './settlement.store.ts'

let database: TestDatabase
let sql: Sql

beforeAll(async () => {
  database = await testDatabase()
  sql = openPool(database.url, { connectionsMax: 4 })
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

/** Waiters on a chain whose node only counts how often it is asked. */
function counted() {
  let looks = 0
  const rpc = {
    async block() {
      looks += 1
      throw new EvmRpcError('transport', 'The node is silent.')
    },
  }
  const chain = { chain: chainByHandle('local'), rpc } as unknown as EvmChain
  const metrics = { operation() {} } as unknown as ChainMetrics
  return {
    chain,
    waiters: outcomeWaiters({
      sql,
      metrics,
      log: testLog(),
      resendSeconds: 30,
      holder: 'b8b3f1a0-0000-4000-8000-000000000001',
    }),
    looks: () => looks,
  }
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
  const { chain, waiters, looks } = counted()
  const ops = await Promise.all(Array.from({ length: 10 }, submitted))
  const waits = ops.flatMap(({ hash }) => [waiters.wait(chain, hash, 800), waiters.wait(chain, hash, 800)])
  expect(await timeOf(Promise.all(waits))).toBeLessThan(1_200)
  expect(looks()).toBeGreaterThan(1)
  expect(looks()).toBeLessThan(8)
})

test('a wait ends as soon as the operation has come to an end, whoever brought it there', async () => {
  const { chain, waiters } = counted()
  const [op, other] = [await submitted(), await submitted()]
  const patient = waiters.wait(chain, other.hash, 2_000)
  const wait = timeOf(waiters.wait(chain, op.hash, 5_000))
  await settlementStore.confirm(sql, followedRow(op), someConfirmation(1n))
  expect(await wait).toBeLessThan(1_000)
  waiters.stop()
  await patient
})

test('a process that ends answers all who wait, and makes nobody wait any more', async () => {
  const { chain, waiters } = counted()
  const { hash } = await submitted()
  const wait = timeOf(waiters.wait(chain, hash, 5_000))
  setTimeout(waiters.stop, 100)
  expect(await wait).toBeLessThan(1_000)
  expect(await timeOf(waiters.wait(chain, hash, 5_000))).toBeLessThan(50)
})
