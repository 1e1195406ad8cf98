import {
  builtRow,
  claimRow,
  testIds as ids,
  seedAccount,
  seedAgentSession,
  seedClientWallet,
  submissionOf,
  type TestDatabase,
  testDatabase,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import type { DecisionRecord } from '../agents/signing/decision-record.ts'
import { decisionsStore } from '../agents/signing/decisions.store.ts'
import { agentTransactionsStore } from '../transactions/broadcast/agent-transactions.store.ts'
import { nonceLeasesStore } from '../transactions/nonces/nonce-leases.store.ts'
import { settlementStore } from '../userops/settlement.store.ts'
import { submissionsStore } from '../userops/submissions.store.ts'
import { recoveryStore } from '../wallets/recovery/recovery.store.ts'
import { shareVersionsStore } from '../wallets/shares/share-versions.store.ts'
import { processesStore } from './processes.store.ts'

let database: TestDatabase
let pools: [Sql, Sql]
let sql: Sql

beforeAll(async () => {
  database = await testDatabase()
  pools = [openPool(database.url, { connectionsMax: 8 }), openPool(database.url, { connectionsMax: 8 })]
  sql = pools[0]
})
afterAll(async () => {
  for (const pool of pools) await pool.end({ timeout: 1 })
  await database.drop()
})

/** What the holder of a lease does under it; false where it is refused. */
type Write = () => Promise<boolean>

/** Takes a lease for a process; undefined while another one has it. */
type Take = (holder: string, by: Sql) => Promise<Write | undefined>

const leaseMs = 60_000
const noFacts = { target: null, value: null, fee: null, asset: null, payloadSha256: null }

async function nonceLease(): Promise<Take> {
  const { organizationId, identityId, account } = await seedAccount(sql)
  const { walletId } = account
  const sessionId = await seedAgentSession(sql, { organizationId, walletId })
  const guard = { policyVersion: 1, rulesVersion: '0', agentVersion: null, digest: null }
  const chain = ids.next()
  return async (processId, by) => {
    const [holder, id] = [ids.next(), ids.next()]
    const nonce = await nonceLeasesStore.acquire(by, { walletId, chain, holder, processId, leaseMs })
    if (nonce === undefined) return undefined
    const send = { id, userIdentityId: identityId, sender: '0x', holder, nonce, requestKey: null }
    const decision: DecisionRecord = {
      organizationId,
      sessionId,
      runId: null,
      outcome: 'allowed',
      reason: null,
      layer: null,
      facts: { ...noFacts, chain, method: 'sendTransaction' },
      txHash: id,
      guard,
      send: { ...send, rawTx: new Uint8Array(1), holdMs: leaseMs },
    }
    return async () => (await decisionsStore.commit(by, [decision], [ids.next()], [])).broken.size === 0
  }
}

async function submission(): Promise<Take> {
  const op = await builtRow(sql, await seedAccount(sql), 1n)
  return async (holder, by) => {
    const { outcome, attemptId } = await claimRow(by, op, { leaseMs, holder })
    const claimed = outcome === 'claimed' ? attemptId : undefined
    const next = claimed ?? (await submissionsStore.claim(by, op.id, { leaseMs, holder }))?.attemptId
    if (next === undefined) return undefined
    return () => submissionsStore.accepted(by, submissionOf(op, next), 30)
  }
}

async function settlement(): Promise<Take> {
  const chain = ids.next()
  const lease = (holder: string, by: Sql) => settlementStore.lease(by, chain, holder, leaseMs)
  return async (holder, by) => ((await lease(holder, by)) ? () => lease(holder, by) : undefined)
}

async function clientWallet() {
  const organizationId = await seedClientWallet(sql)
  const [wallet] = await sql<{ id: string; identityId: string }[]>`
    update wallets set polynomial_version = 1 where organization_id = ${organizationId}
    returning id, user_identity_id as "identityId"`
  if (wallet === undefined) throw new Error('There is no wallet.')
  return { organizationId, ...wallet }
}

const claimOf = (holder: string) => ({
  attemptId: ids.next(),
  shareHash: Buffer.from(ids.next()),
  leaseMs,
  holder,
})

async function recovery(): Promise<Take> {
  const { organizationId, id: walletId, identityId } = await clientWallet()
  const id = ids.next()
  await sql`insert into recovery_processes (id, organization_id, user_identity_id, wallet_id, email, state, salt, code_hash,
      code_expires_at, expires_at, created_at)
    values (${id}, ${organizationId}, ${identityId}, ${walletId}, 'a', 'verified', '', '', app_now() + interval '15 minutes',
      app_now() + interval '15 minutes', app_now())`
  return async (holder, by) => {
    const claim = claimOf(holder)
    const { version } = await recoveryStore.claim(by, { ...claim, id })
    if (version === null) return undefined
    return () => by.begin((tx) => recoveryStore.complete(tx, { id, ...claim }))
  }
}

async function refresh(): Promise<Take> {
  const { id: walletId } = await clientWallet()
  return async (holder, by) => {
    const claim = claimOf(holder)
    const { version } = await shareVersionsStore.claimRefresh(by, { ...claim, walletId, fromVersion: 1 })
    if (version === null) return undefined
    return () => shareVersionsStore.unclaimRefresh(by, { walletId, ...claim })
  }
}

test.each([
  ["the nonce of an agent's wallet", nonceLease],
  ['the submission of an operation', submission],
  ['the settlement of a chain', settlement],
  ['the completion of a recovery', recovery],
  ['the refresh of shares', refresh],
])(
  '%s is free at once when its process dies, for exactly one of many; one that only seemed dead is refused',
  async (_, make) => {
    const take = await make()
    const [first, ...others] = Array.from({ length: 9 }, () => ids.next())
    const write = await take(first ?? '', sql)
    expect(write).toBeTypeOf('function')
    const all = () => Promise.all(others.map((other, i) => take(other, pools[i % 2 === 0 ? 0 : 1])))
    expect((await all()).filter((taken) => taken !== undefined)).toEqual([])
    await processesStore.release(sql, first ?? '')
    const taken = (await all()).filter((each) => each !== undefined)
    expect(taken).toHaveLength(1)
    expect(await write?.()).toBe(false)
    expect(await taken[0]?.()).toBe(true)
  },
)

test.each([
  ['a nonce', nonceLease],
  ['a submission', submission],
  ['a recovery', recovery],
  ['a refresh', refresh],
])('%s that was freed writes nothing, even before anybody else has it', async (_, make) => {
  const take = await make()
  const holder = ids.next()
  const write = await take(holder, sql)
  await processesStore.release(sql, holder)
  expect(await write?.()).toBe(false)
})

test('a nonce that is released while it is committed makes one transaction of it, by the first or by the next holder', async () => {
  for (let i = 0; i < 12; i++) {
    const take = await nonceLease()
    const [first, second] = [ids.next(), ids.next()]
    const write = await take(first, sql)
    const takeOver = async () => {
      if (i % 3 > 0) await new Promise((resolve) => setTimeout(resolve, i % 3))
      await processesStore.release(pools[1], first)
      return take(second, pools[1])
    }
    const [, next] = await Promise.all([write?.(), takeOver()])
    // Another nonce where the first one is used: the same one would break the index of nonces.
    expect(await next?.()).toBe(true)
  }
})

test("what a dead process was sending of an agent is due at once, and has one outcome whoever's answer comes first", async () => {
  // What other tests have left.
  await sql`update agent_transactions set next_attempt_at = app_now() + interval '1 day', held_by = null`
  const take = await nonceLease()
  const first = ids.next()
  const write = await take(first, sql)
  expect(await write?.()).toBe(true)
  const holder = ids.next()
  const claim = async () => (await agentTransactionsStore.claim(sql, { rowsMax: 16, leaseMs, holder })).at(0)
  expect(await claim()).toBe(undefined)
  await processesStore.release(sql, first)
  const left = await claim()
  if (left === undefined) throw new Error('Nothing is due.')
  const moves = Array.from({ length: 4 }, (_, i) =>
    agentTransactionsStore.move(pools[i % 2 === 0 ? 0 : 1], left.id, 'sending', 'sent', 30_000),
  )
  expect((await Promise.all(moves)).filter((isMoved) => isMoved)).toHaveLength(1)
  // What it is waiting for now is nobody's: no death brings it forward.
  await processesStore.release(sql, holder)
  expect(await claim()).toBe(undefined)
})

test('whoever frees what a process held and a beat that finds it gone never wait for each other', async () => {
  const [dead, message] = [ids.next(), ids.next()]
  await sql`insert into processes (id, host, pid, started) values (${dead}, 'host', 1, 'then')`
  await sql`insert into outbox (id, kind, sealed_payload, attempts, next_attempt_at, held_by)
    values (${message}, 'mail', '\\x00', 1, app_now() + interval '30 seconds', ${dead})`
  let released: Promise<void> | undefined
  await pools[1].begin(async (tx) => {
    await tx`select from processes where id = ${dead} for update`
    released = processesStore.release(sql, dead)
    const waiting = () =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting()).length, { interval: 10 }).toBe(1)
    await tx`set local lock_timeout = '200ms'`
    await tx`select release_leases(dead => array[${dead}::uuid])`
  })
  await released
  expect(await sql`select from outbox where id = ${message} and held_by is null`).toHaveLength(1)
})
