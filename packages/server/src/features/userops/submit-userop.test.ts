import {
  advanceClock,
  type BuiltRow,
  builtRow,
  seedAccount,
  seedOrganization,
  someToken,
  type TestDatabase,
  testDatabase,
  testIds,
  testLog,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { promMetrics } from '../../adapters/metrics-prom.ts'
import { auditWriter } from '../audit/audit-writer.ts'
import { sponsorshipStore } from '../smart-accounts/index.ts'
import { outcomeWaiters } from './outcome-waiters.ts'
import { type SubmitCtx, submitOperation } from './submit-userop.ts'
import { useropsStore } from './userops.store.ts'

let database: TestDatabase
let ctx: SubmitCtx

// No worker runs here, and no chain is wired.
beforeAll(async () => {
  database = await testDatabase()
  const { sql } = database
  const settlement = {
    sql,
    metrics: promMetrics().chains,
    log: testLog(),
    resendSeconds: 30,
    holder: 'b8b3f1a0-0000-4000-8000-000000000001',
  }
  ctx = {
    settlement,
    chains: new Map(),
    ids: testIds,
    audit: auditWriter({ sql, ids: testIds, log: testLog() }),
    waiters: outcomeWaiters(settlement),
    waitMs: 0,
  }
})
afterAll(async () => {
  ctx.waiters.stop()
  await database.drop()
})

async function submit({ organizationId, identityId, hash }: BuiltRow) {
  const [organization, token] = [await seedOrganization(database.sql), someToken()]
  const caller = {
    organization: { ...organization, id: organizationId },
    identity: { id: identityId },
    token,
  }
  return submitOperation(ctx, caller, { hash, signature: '0x' })
}

test('an operation that is submitted too late holds nothing from then on; one that nobody submits holds its reservation until the worker expires it', async () => {
  const owner = await seedAccount(database.sql)
  const held = () => sponsorshipStore.spentMicro(database.sql, owner.account.walletId)
  const [late] = [await builtRow(database.sql, owner, 5n), await builtRow(database.sql, owner, 7n)]
  await advanceClock(database.sql, 601_000)
  expect(await held()).toBe(12n)
  expect(await submit(late)).toMatchObject({ code: 'expired' })
  expect(await held()).toBe(7n)
  expect(await useropsStore.expireUnsubmitted(database.sql, 10)).toBe(1)
  expect(await held()).toBe(0n)
})
