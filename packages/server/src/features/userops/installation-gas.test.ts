import {
  type AccountRow,
  buildRow,
  builtRow,
  claimRow,
  followedRow,
  seedAccount,
  someConfirmation,
  submissionOf,
  type TestDatabase,
  testDatabase,
} from '@symbolon/testing/database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import { readMigrations } from '../../db/read-migrations.ts'
import { sponsorshipStore } from '../smart-accounts/index.ts'
import { settlementStore } from './settlement.store.ts'
import { submissionsStore } from './submissions.store.ts'
import { useropsStore } from './userops.store.ts'

let database: TestDatabase
let pools: [Sql, Sql]
let sql: Sql

beforeEach(async () => {
  database = await testDatabase()
  pools = [openPool(database.url, { connectionsMax: 8 }), openPool(database.url, { connectionsMax: 8 })]
  sql = pools[0]
})
afterEach(async () => {
  for (const pool of pools) await pool.end({ timeout: 1 })
  await database.drop()
})

const limit = (eur: number) => sql`update installation_quotas set sponsored_gas_eur_per_month = ${eur}`
const expireAll = () => sql`update user_operations set expires_at = app_now()`

/** The installation's sums, which have to be those of its organizations and of their wallets. */
async function installationMonth(): Promise<{ reserved: number; settled: number } | undefined> {
  const sums = (table: string) => sql<{ reserved: number; settled: number }[]>`
    select sum(reserved_micro)::int as reserved, sum(settled_micro)::int as settled from ${sql.identifier(table)}`
  const [own] = await sums('installation_gas_months')
  for (const table of ['organization_gas_months', 'sponsor_months'])
    expect(await sums(table), table).toEqual([own])
  return own
}

/** Three organizations with three wallets each. */
async function seedWallets(): Promise<AccountRow[]> {
  const wallets: AccountRow[] = []
  for (let organization = 0; organization < 3; organization++) {
    const owner = await seedAccount(sql)
    wallets.push(owner, await seedAccount(sql, owner), await seedAccount(sql, owner))
  }
  return wallets
}

/** Has many operations of EUR 1 built at once by two processes, and returns how many were. */
async function buildMany(wallets: readonly AccountRow[]): Promise<number> {
  const built = await Promise.all(
    Array.from({ length: 45 }, (_, i) =>
      buildRow(pools[i % 2] as Sql, wallets[i % wallets.length] as AccountRow, 1_000_000n),
    ),
  )
  return built.filter((row) => row !== undefined).length
}

test('builds of many organizations in two processes never take more than the gas of the installation', async () => {
  const wallets = await seedWallets()
  const [owner] = wallets as [AccountRow]
  await limit(10)
  expect(await buildMany(wallets)).toBe(10)
  expect(await installationMonth()).toEqual({ reserved: 10_000_000, settled: 0 })
  expect(await buildRow(sql, owner, 1n)).toBe(undefined)
  expect(await sponsorshipStore.budgetOf(sql, owner.account.walletId)).toMatchObject({
    status: 'active',
    installationLeftMicro: 0n,
  })

  // What expires is free again, to the last micro-EUR.
  await expireAll()
  await Promise.all(pools.map((pool) => useropsStore.expireUnsubmitted(pool, 1_000)))
  expect(await installationMonth()).toEqual({ reserved: 0, settled: 0 })
  await builtRow(sql, owner, 9_999_999n)
  const [, , , stranger] = wallets as [AccountRow, AccountRow, AccountRow, AccountRow]
  expect(await buildRow(sql, stranger, 2n)).toBe(undefined)
  expect(await buildRow(sql, stranger, 1n)).toBeDefined()
})

test('what costs more than was reserved, and what is reopened, counts above the limit of the installation', async () => {
  const [owner, stranger] = [await seedAccount(sql), await seedAccount(sql)]
  await limit(10)
  const op = await builtRow(sql, owner, 10_000_000n)
  const { attemptId } = await claimRow(sql, op)
  await submissionsStore.accepted(sql, submissionOf(op, attemptId), 30)
  const confirmation = someConfirmation(12_000_000n)
  await settlementStore.confirm(sql, followedRow(op), confirmation)
  expect(await installationMonth()).toEqual({ reserved: 0, settled: 12_000_000 })
  expect(await buildRow(sql, stranger, 1n), 'another organization').toBe(undefined)
  await limit(0)
  expect(await settlementStore.reopen(sql, followedRow(op), confirmation.blockHash)).toBe(true)
  expect(await installationMonth()).toEqual({ reserved: 10_000_000, settled: 0 })
  expect(await settlementStore.end(sql, followedRow(op), 'replaced')).toBe(true)
  expect(await installationMonth()).toEqual({ reserved: 0, settled: 0 })
  expect(await buildRow(sql, stranger, 1n)).toBe(undefined)
  await limit(1)
  expect(await buildRow(sql, stranger, 1n)).toBeDefined()
})

test('without the row of its limit, an installation sponsors nothing', async () => {
  const owner = await seedAccount(sql)
  await sql`delete from installation_quotas`
  expect(await buildRow(sql, owner, 1n)).toBe(undefined)
  expect(await sponsorshipStore.budgetOf(sql, owner.account.walletId)).toMatchObject({
    installationLeftMicro: 0n,
  })
})

test('an installation that counted only its organizations begins with their sums', async () => {
  const wallets = await seedWallets()
  expect(await buildMany(wallets)).toBe(45)
  await sql`drop table installation_gas_months, installation_quotas`
  const migration = readMigrations().find(({ name }) => name === 'installation_gas')
  await sql.begin((tx) => tx.unsafe(migration?.text ?? ''))
  expect(await installationMonth()).toEqual({ reserved: 45_000_000, settled: 0 })
  expect(await sql`select sponsored_gas_eur_per_month as eur from installation_quotas`).toEqual([
    { eur: 10_000 },
  ])
})

test('operations that expire together keep no build waiting that waits for them', async () => {
  const first = await seedAccount(sql)
  const [second, stranger] = [await seedAccount(sql, first), await seedAccount(sql)]
  for (const owner of [first, second, stranger]) await builtRow(sql, owner, 5n)
  await expireAll()
  for (const owner of [second, stranger]) {
    const build = await pools[0].reserve()
    await build`begin`
    // What a build of this wallet locks first; the months of its organization and of the installation come next.
    await build`select from sponsor_months where wallet_id = ${owner.account.walletId} for no key update`
    const expiry = useropsStore.expireUnsubmitted(pools[1], 10)
    const waits = () => sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(waits, { interval: 5 }).toHaveLength(1)
    await build`
      update sponsor_months set reserved_micro = reserved_micro + 1 where wallet_id = ${owner.account.walletId}`
    await build`rollback`
    build.release()
    expect(await expiry).toBe(3)
    expect(await installationMonth()).toEqual({ reserved: 0, settled: 0 })
    for (const each of [first, second, stranger]) await builtRow(sql, each, 5n)
    await expireAll()
  }
})
