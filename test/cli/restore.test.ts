import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  seedAccount,
  seedAgentSession,
  seedOrganization,
  type TestDatabase,
  testDatabase,
} from '@symbolon/testing/database'
import {
  asUser,
  type DevJson,
  dataFolder,
  mintToken,
  type StartedPlatform,
  startedPlatform,
} from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resultOf, runSymbolon } from './run-symbolon.ts'

const folder = dataFolder()
const backups = mkdtempSync(path.join(tmpdir(), 'symbolon-restore-'))
const backup = path.join(backups, 'one')
let database: TestDatabase
let environment: { DATABASE_URL: string }
let running: StartedPlatform | undefined
let file: DevJson
// The address is the issuer of tokens.
let port: number | undefined
let token: string
let walletId: string
let cookie: string
let sizeAtBackup: number

async function start(): Promise<void> {
  running = await startedPlatform({ dataFolder: folder.path, environment, ...(port && { port }) })
  port = running.port
  file = await running.ready()
}

async function stop(): Promise<void> {
  running?.launcher.kill('SIGTERM')
  await running?.ended()
  running = undefined
}

beforeAll(async () => {
  database = await testDatabase()
  environment = { DATABASE_URL: database.url }
  await start()
  walletId = (await call('/v1/s2s/wallets', { email: 'restore@example.test', curve: 'secp256k1' })).id
  await sign()
  const login = await fetch(`${file.base_url}/dev/portal-session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(file.portal),
  })
  cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? ''
  await seedAgentSession(database.sql, { organizationId: file.organizations.tee.id, walletId })
  token = await newToken()
  expect([await portal(), await wallets(token)]).toEqual([200, 200])
  await archiveOnce()
  await resultOf(['backup', '--to', backup], environment)
  sizeAtBackup = await treeSize(database)
  await sign()
  await archiveOnce()
  await sign()
})
afterAll(async () => {
  await stop()
  folder.remove()
  rmSync(backups, { recursive: true, force: true })
  await database.drop()
})

async function call(route: string, json: object): Promise<{ id: string }> {
  const response = await fetch(file.base_url + route, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${file.organizations.tee.secret_key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(json),
  })
  const body = (await response.json()) as { data: { id: string } }
  if (!response.ok) throw new Error(JSON.stringify(body))
  return body.data
}

const sign = () => call('/v1/s2s/sign', { wallet_id: walletId, type: 'message', message: 'hello' })

/** Archives and unarchives the wallet: the enclave learns of both before the answers, and keeps marks of them. */
async function archiveOnce(): Promise<void> {
  for (const step of ['archive', 'unarchive']) {
    const url = `${file.base_url}/v1/s2s/wallets/${walletId}/${step}`
    const headers = { authorization: `Bearer ${file.organizations.tee.secret_key}` }
    expect((await fetch(url, { method: 'POST', headers })).status).toBe(204)
  }
}

const marks = ({ sql }: TestDatabase) => sql`select number, root from enclave_marks order by number`

/** What the portal answers to the session from before. */
const portal = async () => (await fetch(`${file.base_url}/v1/auth/session`, { headers: { cookie } })).status

/** A token as the login mints it, for the wallet's user. */
async function newToken(): Promise<string> {
  const [user] = await database.sql<{ id: string; email: string }[]>`
    select i.id, i.email from identities i join wallets w on w.user_identity_id = i.id where w.id = ${walletId}`
  if (user === undefined) throw new Error('The wallet has no user.')
  const files = { secrets: path.join(folder.path, 'secrets', 'server.json') }
  const { id: identityId, email } = user
  return mintToken({ files, baseUrl: file.base_url }, tee(), { identityId, email })
}

const tee = () => file.organizations.tee
const wallets = async (userToken: string) =>
  (await fetch(`${file.base_url}/v1/wallets/me`, { headers: asUser(tee(), userToken) })).status

async function treeSize({ sql }: TestDatabase): Promise<number> {
  const [row] = await sql<{ events: string }[]>`
    select events from organization_counters where organization_id = ${file.organizations.tee.id}`
  return Number(row?.events)
}

const usage = ({ sql }: TestDatabase) => sql`
  select day::text, kind, amount from usage_days where organization_id = ${file.organizations.tee.id} order by 1, 2`

/** What each has paid for sponsored gas: the wallet, its organization, and the installation. */
const gas = async ({ sql }: TestDatabase) =>
  (
    await sql<{ sums: number[] }[]>`
      select array[
        (select sum(settled_micro) from sponsor_months where wallet_id = ${walletId}),
        (select sum(settled_micro) from organization_gas_months where organization_id = ${file.organizations.tee.id}),
        (select sum(settled_micro) from installation_gas_months)]::int[] as sums`
  )[0]?.sums

const lastEvent = async ({ sql }: TestDatabase) =>
  (
    await sql<{ payload: Record<string, unknown> }[]>`
      select payload from audit_events where organization_id = ${file.organizations.tee.id} order by n desc limit 1`
  )[0]?.payload

test('nothing is restored while the service runs', async () => {
  const { code, stdout, stderr } = await runSymbolon(['restore', '--from', backup, '--json'], environment)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe('symbolon: The service is connected to this database: stop every API process first.\n')
  expect(await portal()).toBe(200)
})

test('a damaged backup, or one without its manifest, changes nothing', async () => {
  await stop()
  const part = path.join(backup, 'organizations.copy')
  const kept = readFileSync(part)
  const size = await treeSize(database)
  writeFileSync(part, kept.toString().replace('Demo', 'Memo'))
  const damaged = await runSymbolon(['restore', '--from', backup], environment)
  writeFileSync(part, kept)
  expect([damaged.code, damaged.stderr]).toEqual([
    1,
    expect.stringMatching(/^symbolon: organizations\.copy in .* the backup is damaged\.\n$/),
  ])
  const none = await runSymbolon(['restore', '--from', backups], environment)
  expect([none.code, none.stderr]).toEqual([1, expect.stringMatching(/it is not a whole backup\.\n$/)])
  expect(await treeSize(database)).toBe(size)
})

test('a restore begins an epoch and ends sessions; keys, wallets and the higher counters stay', async () => {
  const sizeBefore = await treeSize(database)
  const usageBefore = await usage(database)
  const marksBefore = await marks(database)
  await database.sql`update wallets set status = 'archived', archived_at = now() where id = ${walletId}`
  // One of them is of an organization that the backup does not have.
  for (const id of [walletId, (await seedAccount(database.sql)).account.walletId])
    await database.sql`insert into sponsor_months (wallet_id, month, settled_micro) values (${id}, '2026-01', 7)`
  expect(sizeBefore).toBeGreaterThan(sizeAtBackup)
  expect(await resultOf(['restore', '--from', backup], environment)).toMatchObject({
    epoch: 2,
    organizations: 2,
  })
  expect(await lastEvent(database)).toEqual({
    epoch: 2,
    backup_taken_at: expect.any(String),
    tree_size_backup: sizeAtBackup,
    tree_size_before: sizeBefore,
    consistent: true,
  })
  expect(await treeSize(database)).toBe(sizeAtBackup + 1)
  expect(await usage(database)).toEqual(usageBefore)
  // The enclave, which has seen later rules and the archived wallet, takes what holds now for later still.
  expect(await database.sql`select distinct version::text from organization_rules`).toEqual([
    { version: String(2n * 2n ** 32n + 1n) },
  ])
  expect(await database.sql`select kind from enclave_notes where subject_id = ${walletId}`).toEqual([
    { kind: 'wallet_active' },
  ])
  // What the enclave knew after the backup.
  expect(marksBefore).not.toHaveLength(0)
  expect(await marks(database)).toEqual(marksBefore)
  expect(await gas(database)).toEqual([7, 7, 14])
  expect(await database.sql`select distinct status from agent_sessions`).toEqual([{ status: 'revoked' }])

  await start()
  await sign()
  expect([await portal(), await wallets(token), await wallets(await newToken())]).toEqual([401, 401, 200])
  expect(await resultOf(['enclave', 'status'], { SYMBOLON_DATA_DIR: folder.path })).toMatchObject({
    epoch: 2,
  })
  await stop()
})

test('a log that went on differently after the backup is told as inconsistent, and the epoch rises again', async () => {
  await database.sql`
    update audit_events set payload = '{"edited": true}' where organization_id = ${file.organizations.tee.id} and n = 1`
  expect(await resultOf(['restore', '--from', backup], environment)).toMatchObject({ epoch: 3 })
  expect(await lastEvent(database)).toMatchObject({ epoch: 3, consistent: false })
})

test('an empty database takes a backup, one of another installation does not', async () => {
  const empty = await testDatabase()
  try {
    await empty.sql.unsafe('drop schema public cascade; create schema public')
    expect(await resultOf(['restore', '--from', backup], { DATABASE_URL: empty.url })).toMatchObject({
      epoch: 2,
    })
    expect(await lastEvent(empty)).toMatchObject({ tree_size_before: null, consistent: true })
    expect(await empty.sql`select id, address from wallets`).toEqual(
      await database.sql`select id, address from wallets`,
    )
  } finally {
    await empty.drop()
  }
  const other = await testDatabase()
  try {
    await seedOrganization(other.sql)
    const { code, stderr } = await runSymbolon(['restore', '--from', backup], { DATABASE_URL: other.url })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^symbolon: The database belongs to another inst/),
    ])
    expect(await other.sql`select from organizations`).toHaveLength(1)
  } finally {
    await other.drop()
  }
})
