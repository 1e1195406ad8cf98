import { randomBytes } from 'node:crypto'
import {
  seedOrganization,
  type TestDatabase,
  testDatabase,
  testIds,
  testLog,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import { retentionStore } from './retention.store.ts'
import { deleteExpired, retentionJob } from './retention-job.ts'

let database: TestDatabase
let sql: Sql
let pools: Sql[]

beforeAll(async () => {
  database = await testDatabase()
  sql = database.sql
  pools = [openPool(database.url, { connectionsMax: 4 }), openPool(database.url, { connectionsMax: 4 })]
})

afterAll(async () => {
  for (const pool of pools) await pool.end({ timeout: 1 })
  await database.drop()
})

const names = async (table: string, column: string) =>
  (await sql.unsafe(`select ${column} as name from ${table} order by 1`)).map((row) => row['name'])

async function insertTokensAndCodes(id: string): Promise<void> {
  for (const [hash, age] of [
    ['00', '2 hours'],
    ['01', '30 minutes'],
    ['02', '-1 hour'],
  ] as const) {
    await sql`insert into revoked_tokens values (${id}, decode(${hash}, 'hex'), app_now() - ${age}::interval)`
    await sql`insert into accepted_tokens values (${id}, decode(${hash}, 'hex'), app_now() - ${age}::interval)`
  }
  for (const [key, age] of [
    ['past', '1 second'],
    ['live', '-1 hour'],
  ] as const) {
    await sql`insert into idempotency_keys (scope, key, body_hash, state, attempt_id, started_at, expires_at)
      values ('', ${key}, '', 'running', ${testIds.next()}, app_now(), app_now() - ${age}::interval)`
  }
  for (const [email, age] of [
    ['old', '16 minutes'],
    ['in window', '4 minutes'],
    ['live', '-5 minutes'],
  ] as const) {
    await sql`insert into email_codes (organization_id, email, purpose, code_id, salt, code_hash, expires_at, issued_at)
      values (${id}, ${email}, 'login', ${testIds.next()}, '', '', app_now() - ${age}::interval, '{}')`
  }
  for (const [mailbox, age] of [
    ['of the day before', '26 hours'],
    ['of the day', '24 hours'],
  ] as const)
    await sql`insert into login_newcomers (mailbox, touched_at) values (${mailbox}, app_now() - ${age}::interval)`
  for (const [key, tat] of [
    ['full', -120],
    ['in use', 10],
  ] as const) {
    await sql`insert into rate_limits values (${key}, extract(epoch from app_now()) + ${tat}, 0, 1, 1, 0)`
  }
}

async function insertPortalLogins(): Promise<void> {
  const userId = testIds.next()
  await sql`insert into portal_users (id, email) values (${userId}, 'owner@example.test')`
  for (const [hash, age] of [
    ['00', '1 second'],
    ['01', '-1 hour'],
  ] as const) {
    await sql`insert into portal_sessions (id, user_id, token_hash, expires_at)
      values (${testIds.next()}, ${userId}, decode(${hash}, 'hex'), app_now() - ${age}::interval)`
    await sql`insert into portal_logins (cookie_hash, state, nonce, code_verifier, return_to, expires_at)
      values (decode(${hash}, 'hex'), '', '', '', '', app_now() - ${age}::interval)`
  }
}

/** Recoveries and key transfers of a wallet, whose id is returned. */
async function insertRecoveries(id: string): Promise<string> {
  const [walletId, identityId] = [testIds.next(), testIds.next()]
  await sql`insert into identities (id, organization_id, auth_provider, provider_user_id) values (${identityId}, ${id}, 'service', 'u')`
  await sql`insert into wallets (id, organization_id, user_identity_id, curve, chain_type, account_type, address, addresses, public_key, signing_mode, org_seq)
    values (${walletId}, ${id}, ${identityId}, 'secp256k1', 'evm', 'eoa', '', '{}', '', 'client', 1)`
  for (const [email, age] of [
    ['last month', '31 days'],
    ['yesterday', '1 day'],
  ] as const) {
    await sql`insert into recovery_processes (id, organization_id, user_identity_id, wallet_id, email, state, salt, code_hash, code_expires_at, expires_at, created_at)
      values (${testIds.next()}, ${id}, ${identityId}, ${walletId}, ${email}, 'completed', '', '', app_now(), app_now(), app_now() - ${age}::interval)`
    await sql`insert into key_transfers (id, kind, organization_id, user_identity_id, wallet_id, curve, email, state, salt, code_hash, expires_at, created_at)
      values (${testIds.next()}, 'export', ${id}, ${identityId}, ${walletId}, 'secp256k1', ${email}, 'completed', '', '', app_now(), app_now() - ${age}::interval)`
  }
  return walletId
}

async function insertShares(id: string, walletId: string): Promise<void> {
  // By index: 1 of a creation that failed, 2 of one that may be under way, 3 of a wallet.
  for (const [index, wallet, age] of [
    [1, testIds.next(), '2 hours'],
    [2, testIds.next(), '10 minutes'],
    [3, walletId, '2 hours'],
  ] as const) {
    await sql`insert into recovery_shares (id, organization_id, wallet_id, polynomial_version, share_index, envelope, key_version, stored_at)
      values (${testIds.next()}, ${id}, ${wallet}, 1, ${index}, '', 1, app_now() - ${age}::interval)`
  }
}

test('expired rows go, all others stay', async () => {
  const { id } = await seedOrganization(sql)
  await insertTokensAndCodes(id)
  await insertPortalLogins()
  for (const age of ['-1 minute', '1 minute', '61 minutes'])
    await sql`insert into delegation_jtis (jti, expires_at) values (${testIds.next()}, app_now() - ${age}::interval)`
  await insertShares(id, await insertRecoveries(id))
  const counts = await deleteExpired(sql)
  expect(counts).toEqual({
    revoked_tokens: 1,
    accepted_tokens: 1,
    idempotency_keys: 1,
    agent_call_notes: 0,
    email_codes: 1,
    login_codes: 0,
    login_newcomers: 1,
    login_mailboxes: 0,
    login_clients: 0,
    login_addresses: 0,
    login_hours: 0,
    login_alarms: 0,
    rate_limits: 1,
    portal_sessions: 1,
    portal_logins: 1,
    delegation_jtis: 1,
    device_tokens: 0,
    devices: 0,
    mailed_links: 0,
    recovery_processes: 1,
    key_transfers: 1,
    recovery_shares: 1,
    user_operations: 0,
    agent_runs: 0,
  })
  expect(await names('revoked_tokens', `encode(token_hash, 'hex')`)).toEqual(['01', '02'])
  expect(await names('accepted_tokens', `encode(token_hash, 'hex')`)).toEqual(['01', '02'])
  expect(await names('idempotency_keys', 'key')).toEqual(['live'])
  expect(await names('email_codes', 'email')).toEqual(['in window', 'live'])
  expect(await names('login_newcomers', 'mailbox')).toEqual(['of the day'])
  expect(await names('rate_limits', 'key')).toEqual(['in use'])
  expect(await names('portal_sessions', `encode(token_hash, 'hex')`)).toEqual(['01'])
  expect(await names('portal_logins', `encode(cookie_hash, 'hex')`)).toEqual(['01'])
  expect(await names('recovery_processes', 'email')).toEqual(['yesterday'])
  expect(await names('key_transfers', 'email')).toEqual(['yesterday'])
  expect(await names('recovery_shares', 'share_index')).toEqual([2, 3])
})

test('many batches delete all that two processes find, and nobody waits for a row that is held', async () => {
  const { id } = await seedOrganization(sql)
  const hashes = Array.from({ length: 2_500 }, () => randomBytes(32).toString('hex'))
  await sql`insert into revoked_tokens select ${id}, decode(h, 'hex'), app_now() - interval '1 day' from unnest(${hashes}::text[]) h`
  await sql.begin(async (tx) => {
    await tx`select 1 from revoked_tokens where token_hash = decode(${hashes[0] ?? ''}, 'hex') for update`
    for (let i = 0; i < 3; i++) await Promise.all(pools.map((pool) => deleteExpired(pool, { rowsMax: 100 })))
  })
  expect(
    await sql`select encode(token_hash, 'hex') as h from revoked_tokens where organization_id = ${id}`,
  ).toEqual([{ h: hashes[0] }])
  await deleteExpired(sql)
})

test('while one process deletes, another does nothing', async () => {
  const { id } = await seedOrganization(sql)
  const insert = () =>
    sql`insert into revoked_tokens values (${id}, decode('aa', 'hex'), app_now() - interval '1 day')`
  await insert()
  const run = () => deleteExpired(pools[0] as Sql)
  await pools[1]?.begin(async (other) => {
    expect(await retentionStore.tryLock(other)).toBe(true)
    expect(await run()).toMatchObject({ revoked_tokens: 0 })
  })
  expect(await run()).toMatchObject({ revoked_tokens: 1 })
  await insert()
  expect(await run()).toMatchObject({ revoked_tokens: 1 })
})

test('the job stops before its first pass, and can be stopped again', async () => {
  const job = retentionJob({ sql, log: testLog() })
  job.start()
  await job.stop()
  await job.stop()
})
