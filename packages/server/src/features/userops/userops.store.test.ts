import {
  type AccountRow,
  advanceClock,
  type BuiltRow,
  buildRow,
  builtRow,
  claimRow,
  followedRow,
  newOperation,
  seedAccount,
  someConfirmation,
  someToken,
  submissionOf,
  type TestDatabase,
  testDatabase,
  testIds,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import { deleteExpired } from '../retention/retention-job.ts'
import { sponsorshipStore } from '../smart-accounts/index.ts'
import type { Confirmation } from './confirmations.ts'
import { settlementStore } from './settlement.store.ts'
import { submissionsStore } from './submissions.store.ts'
import { useropsStore } from './userops.store.ts'

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

/** The process of these tests. */
const holder = testIds.next()

const pick = <item>(items: readonly item[]): item => items[Math.floor(Math.random() * items.length)] as item

/** The month's sums, which have to be those of its operations. */
async function month({ account }: AccountRow): Promise<{ reserved: number; settled: number }> {
  const rows = await sql<{ reserved: number; settled: number; held: number; cost: number }[]>`
    select m.reserved_micro::int as reserved, m.settled_micro::int as settled,
      coalesce(sum(o.held_micro), 0)::int as held, coalesce(sum(o.settled_micro), 0)::int as cost
    from sponsor_months m left join user_operations o on o.wallet_id = m.wallet_id and o.month = m.month
    where m.wallet_id = ${account.walletId} group by m.wallet_id, m.month`
  const [sums = { reserved: 0, settled: 0, held: 0, cost: 0 }] = rows
  expect({ reserved: sums.reserved, settled: sums.settled }).toEqual({
    reserved: sums.held,
    settled: sums.cost,
  })
  return { reserved: sums.reserved, settled: sums.settled }
}

const stateOf = async (id: string) =>
  (await sql<{ state: string }[]>`select state from user_operations where id = ${id}`)[0]?.state

describe('the cap', () => {
  test('holds for 50 reserves at once by two processes, over all chains and to the last micro-EUR', async () => {
    const owner = await seedAccount(sql)
    await builtRow(sql, owner, 9_000_002n)
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        useropsStore.reserve(pools[i % 2] as Sql, {
          ...newOperation(owner, 111_111n),
          chain: pick(['local', 'local-2', 'base']),
        }),
      ),
    )
    expect(made.filter((isMade) => isMade)).toHaveLength(8)
    expect(await useropsStore.reserve(sql, newOperation(owner, 111_111n))).toBe(false)
    expect(await useropsStore.reserve(sql, newOperation(owner, 111_110n))).toBe(true)
    expect(await month(owner)).toEqual({ reserved: 10_000_000, settled: 0 })
    expect(await useropsStore.reserve(sql, newOperation(owner, 1n))).toBe(false)
    expect(await sponsorshipStore.spentMicro(sql, owner.account.walletId)).toBe(10_000_000n)
  })

  test('refuses what alone is more, whatever its size', async () => {
    const owner = await seedAccount(sql)
    for (const micro of [10_000_001n, 2n ** 62n])
      expect(await useropsStore.reserve(sql, newOperation(owner, micro))).toBe(false)
    expect(await sponsorshipStore.spentMicro(sql, owner.account.walletId)).toBe(0n)
    expect(await useropsStore.reserve(sql, newOperation(owner, 10_000_000n))).toBe(true)
  })

  test('does not bind operations that the account pays for', async () => {
    const owner = await seedAccount(sql)
    await builtRow(sql, owner, 10_000_000n)
    const { reserve: _, ...unsponsored } = newOperation(owner, 0n)
    expect(await useropsStore.reserve(sql, unsponsored)).toBe(true)
    expect(await month(owner)).toEqual({ reserved: 10_000_000, settled: 0 })
  })
})

describe('a submit', () => {
  test('is claimed by exactly one of many', async () => {
    const op = await builtRow(sql, await seedAccount(sql), 5n)
    const claims = await Promise.all(Array.from({ length: 20 }, (_, i) => claimRow(pools[i % 2] as Sql, op)))
    const outcomes = claims.map(({ outcome }) => outcome).sort()
    expect(outcomes).toEqual(['claimed', ...Array.from({ length: 19 }, () => 'taken')])
  })

  test('is refused once the token, the wallet or the time is over, and to everybody else', async () => {
    const owner = await seedAccount(sql)
    const op = await builtRow(sql, owner, 5n)
    const own = someToken()
    await sql`insert into revoked_tokens values (${op.organizationId}, decode(${own.hash}, 'hex'), ${own.expiresAt})`
    expect((await claimRow(sql, op, { token: own })).outcome).toBe('token_revoked')
    const past = { ...someToken(), expiresAt: new Date(Date.now() - 1_000).toISOString() }
    expect((await claimRow(sql, op, { token: past })).outcome).toBe('token_expired')
    expect((await claimRow(sql, op, { identityId: testIds.next() })).outcome).toBe('not_found')
    const other = await seedAccount(sql)
    expect((await claimRow(sql, op, { organizationId: other.organizationId })).outcome).toBe('not_found')
    await sql`update wallets set status = 'archived', archived_at = app_now() where id = ${owner.account.walletId}`
    expect((await claimRow(sql, op)).outcome).toBe('wallet_archived')
    await sql`update wallets set status = 'active', archived_at = null where id = ${owner.account.walletId}`
    expect(await month(owner)).toEqual({ reserved: 5, settled: 0 })
    expect((await claimRow(sql, op, { chainNow: 1_001n })).outcome).toBe('expired')
    expect((await claimRow(sql, op)).outcome).toBe('expired')
    expect(await month(owner)).toEqual({ reserved: 0, settled: 0 })
  })

  test('of the first of many deploying operations ends the others', async () => {
    const owner = await seedAccount(sql)
    const ops = await Promise.all(Array.from({ length: 10 }, () => builtRow(sql, owner, 5n, true)))
    const claims = await Promise.all(ops.map((op, i) => claimRow(pools[i % 2] as Sql, op)))
    expect(claims.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1)
    expect(claims.filter(({ outcome }) => outcome === 'expired')).toHaveLength(9)
    expect(await month(owner)).toEqual({ reserved: 5, settled: 0 })

    const other = await seedAccount(sql)
    const op = await builtRow(sql, other, 5n, true)
    expect((await claimRow(sql, op, { isDeployed: true })).outcome).toBe('expired')
    expect((await claimRow(sql, await builtRow(sql, other, 5n), { isDeployed: true })).outcome).toBe(
      'claimed',
    )
  })
})

describe('an outcome', () => {
  test('counts only while no newer send has begun', async () => {
    const owner = await seedAccount(sql)
    const op = await builtRow(sql, owner, 5n)
    const { attemptId } = await claimRow(sql, op, { leaseMs: -1 })
    const second = await submissionsStore.claim(sql, op.id, { leaseMs: 15_000, holder })
    expect(second?.operation).toEqual(op.operation)
    expect(await submissionsStore.claim(sql, op.id, { leaseMs: 15_000, holder })).toBe(undefined)
    expect(await submissionsStore.unsent(sql, submissionOf(op, attemptId))).toBe(false)
    expect(await submissionsStore.rejected(sql, submissionOf(op, attemptId), 'late')).toBe(false)
    expect(await stateOf(op.id)).toBe('sending')
    expect(await submissionsStore.accepted(sql, submissionOf(op, second?.attemptId ?? ''), 30)).toBe(true)
    // What the bundler once took, it cannot refuse any more.
    expect(await submissionsStore.rejected(sql, submissionOf(op, second?.attemptId ?? ''), 'late')).toBe(
      false,
    )
  })

  test('is charged once, in full, to the month of its build, whatever was thought before', async () => {
    const owner = await seedAccount(sql)
    const op = await builtRow(sql, owner, 5n)
    const { attemptId } = await claimRow(sql, op)
    expect(await submissionsStore.rejected(sql, submissionOf(op, attemptId), 'no')).toBe(true)
    expect(await month(owner)).toEqual({ reserved: 0, settled: 0 })
    await builtRow(sql, owner, 10_000_000n)
    const seen = someConfirmation(7n)
    expect(await settlementStore.confirm(sql, followedRow(op), seen)).toBe(true)
    expect(await settlementStore.confirm(sql, followedRow(op), seen)).toBe(false)
    // More than the cap, because it is true.
    expect(await month(owner)).toEqual({ reserved: 10_000_000, settled: 7 })
    const elsewhere = someConfirmation(9n, false)
    expect(await settlementStore.confirm(sql, followedRow(op), elsewhere)).toBe(true)
    expect(await month(owner)).toEqual({ reserved: 10_000_000, settled: 9 })
    expect(await settlementStore.reopen(sql, followedRow(op), seen.blockHash)).toBe(false)
    expect(await settlementStore.reopen(sql, followedRow(op), elsewhere.blockHash)).toBe(true)
    expect(await month(owner)).toEqual({ reserved: 10_000_005, settled: 0 })
    expect(await settlementStore.end(sql, followedRow(op), 'replaced')).toBe(true)
    expect(await settlementStore.end(sql, followedRow(op), 'expired')).toBe(false)
    expect(await month(owner)).toEqual({ reserved: 10_000_000, settled: 0 })
  })

  test('of a built operation can only be that nobody submitted it', async () => {
    const owner = await seedAccount(sql)
    const op = await builtRow(sql, owner, 5n)
    expect(await settlementStore.confirm(sql, followedRow(op), someConfirmation(7n))).toBe(false)
    expect(await settlementStore.end(sql, followedRow(op), 'expired')).toBe(false)
    expect(await stateOf(op.id)).toBe('built')
  })
})

test('a month is exactly the sum of its operations, whatever happens in whatever order', async () => {
  const owners = [await seedAccount(sql), await seedAccount(sql)]
  const ops: { op: BuiltRow; attemptId?: string; landed?: Confirmation }[] = []
  const steps = {
    build: async (by: Sql) => {
      const micro = BigInt(Math.floor(Math.random() * 1_500_000))
      const op = await buildRow(by, pick(owners), micro, Math.random() < 0.3)
      if (op !== undefined) ops.push({ op })
    },
    claim: async (by: Sql) => {
      const one = pick(ops)
      const { outcome, attemptId } = await claimRow(by, one.op, { leaseMs: -1 })
      if (outcome === 'claimed') one.attemptId = attemptId
    },
    resend: async (by: Sql) => {
      const one = pick(ops)
      const send = await submissionsStore.claim(by, one.op.id, { leaseMs: -1, holder })
      if (send !== undefined) one.attemptId = send.attemptId
    },
    accepted: async (by: Sql) => {
      const { op, attemptId } = pick(ops)
      if (attemptId !== undefined) await submissionsStore.accepted(by, submissionOf(op, attemptId), 0)
    },
    rejected: async (by: Sql) => {
      const { op, attemptId } = pick(ops)
      if (attemptId !== undefined) await submissionsStore.rejected(by, submissionOf(op, attemptId), 'no')
    },
    unsent: async (by: Sql) => {
      const { op, attemptId } = pick(ops)
      if (attemptId !== undefined) await submissionsStore.unsent(by, submissionOf(op, attemptId))
    },
    land: async (by: Sql) => {
      const one = pick(ops)
      const seen = someConfirmation(BigInt(Math.floor(Math.random() * 1_000_000)), Math.random() < 0.7)
      if (await settlementStore.confirm(by, followedRow(one.op), seen)) one.landed = seen
    },
    reopen: async (by: Sql) => {
      const { op, landed } = pick(ops)
      if (landed !== undefined) await settlementStore.reopen(by, followedRow(op), landed.blockHash)
    },
    end: (by: Sql) => settlementStore.end(by, followedRow(pick(ops).op), pick(['expired', 'replaced'])),
    expire: (by: Sql) => useropsStore.expire(by, pick(ops).op.id),
    sweep: (by: Sql) => useropsStore.expireUnsubmitted(by, 10),
  }
  await steps.build(sql)
  const walk = async (by: Sql) => {
    for (let i = 0; i < 60; i++) {
      const step = pick([steps.build, steps.build, ...Object.values(steps)])
      await step(by)
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, i) => walk(pools[i % 2] as Sql)))
  for (const owner of owners) await month(owner)
  const states = await sql<{ state: string }[]>`select distinct state from user_operations`
  expect(states.length).toBeGreaterThan(4)
})

test('one holder follows a chain until its lease has ended', async () => {
  const [a, b] = [testIds.next(), testIds.next()]
  expect(await settlementStore.lease(sql, 'base', a, 60_000)).toBe(true)
  expect(await settlementStore.lease(sql, 'base', b, 60_000)).toBe(false)
  expect(await settlementStore.lease(sql, 'base', a, -1)).toBe(true)
  expect(await settlementStore.lease(sql, 'base', b, 60_000)).toBe(true)
  await settlementStore.endLease(sql, 'base', a)
  expect(await settlementStore.lease(sql, 'base', a, 60_000)).toBe(false)
  await settlementStore.endLease(sql, 'base', b)
  expect(await settlementStore.lease(sql, 'base', a, 60_000)).toBe(true)
})

/** What the wallets of an organization have reserved and paid this month, by its own sum; it has to be that of its wallets. */
async function organizationMonth({ organizationId }: AccountRow): Promise<number> {
  const rows = await sql<{ own: number; wallets: number }[]>`
    select (g.reserved_micro + g.settled_micro)::int as own,
      (select sum(m.reserved_micro + m.settled_micro) from sponsor_months m join wallets w on w.id = m.wallet_id
        where w.organization_id = g.organization_id and m.month = g.month)::int as wallets
    from organization_gas_months g where g.organization_id = ${organizationId}`
  expect(rows[0]?.own).toBe(rows[0]?.wallets)
  return rows[0]?.own ?? 0
}

test('builds of many wallets in two processes never take more than the gas of their organization', async () => {
  const owner = await seedAccount(sql)
  const wallets = [owner]
  while (wallets.length < 8) wallets.push(await seedAccount(sql, owner))
  await sql`update organizations set sponsored_gas_eur_per_month = 10 where id = ${owner.organizationId}`
  const built = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      buildRow(pick(pools), wallets[i % wallets.length] as AccountRow, 1_000_000n),
    ),
  )
  expect(built.filter((row) => row !== undefined)).toHaveLength(10)
  expect(await organizationMonth(owner)).toBe(10_000_000)
  const left = { status: 'active', organizationLeftMicro: 0n }
  expect(await sponsorshipStore.budgetOf(sql, owner.account.walletId)).toMatchObject(left)
  const stranger = await seedAccount(sql)
  expect(await buildRow(sql, stranger, 10_000_000n), 'another organization').toBeDefined()

  // What expires is free again, and what costs more than was reserved counts, above the limit too.
  await sql`update user_operations set expires_at = app_now() where organization_id = ${owner.organizationId}`
  await Promise.all(pools.map((pool) => useropsStore.expireUnsubmitted(pool, 1_000)))
  expect(await organizationMonth(owner)).toBe(0)
  const op = await builtRow(sql, owner, 10_000_000n)
  const { attemptId } = await claimRow(sql, op)
  await submissionsStore.accepted(sql, submissionOf(op, attemptId), 30)
  const confirmation = someConfirmation(12_000_000n)
  await settlementStore.confirm(sql, followedRow(op), confirmation)
  expect(await organizationMonth(owner)).toBe(12_000_000)
  await sql`update organizations set sponsored_gas_eur_per_month = 0 where id = ${owner.organizationId}`
  await settlementStore.reopen(sql, followedRow(op), confirmation.blockHash)
  expect(await organizationMonth(owner)).toBe(10_000_000)
  expect(await buildRow(sql, owner, 1n)).toBe(undefined)
})

test('an operation counts in the month it was built in, and the next month begins with the whole budget', async () => {
  const owner = await seedAccount(sql)
  const op = await builtRow(sql, owner, 10_000_000n)
  const { attemptId } = await claimRow(sql, op)
  await submissionsStore.accepted(sql, submissionOf(op, attemptId), 30)
  expect(await buildRow(sql, owner, 1n)).toBe(undefined)
  const [{ ms } = { ms: 0 }] = await sql<{ ms: number }[]>`
    select (extract(epoch from (date_trunc('month', app_now() at time zone 'UTC') + interval '1 month')
      - (app_now() at time zone 'UTC')) * 1000)::double precision as ms`
  await advanceClock(sql, ms + 1_000)
  expect(await sponsorshipStore.spentMicro(sql, owner.account.walletId)).toBe(0n)
  await builtRow(sql, owner, 4_000_000n)
  await settlementStore.confirm(sql, followedRow(op), someConfirmation(6_000_000n))
  const rows = await sql<{ reserved: number; settled: number }[]>`
    select reserved_micro::int as reserved, settled_micro::int as settled from sponsor_months
    where wallet_id = ${owner.account.walletId} order by month`
  expect([...rows]).toEqual([
    { reserved: 0, settled: 6_000_000 },
    { reserved: 4_000_000, settled: 0 },
  ])

  const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
    select count(*)::int as count from user_operations where state = 'expired' and submitted_at is null`
  await useropsStore.expireUnsubmitted(sql, 1_000)
  await advanceClock(sql, 25 * 3_600_000)
  const counts = await deleteExpired(sql)
  expect(counts.user_operations).toBeGreaterThan(count)
  expect(await stateOf(op.id)).toBe('confirmed')
})
