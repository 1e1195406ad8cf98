import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import type { Answer } from '@symbolon/testing/http'
import {
  type ApiProcess,
  asUser,
  createOrganization,
  logIn,
  type Organization,
  type PlatformProcesses,
  recoveryCode,
  startPlatformProcesses,
  type User,
} from '@symbolon/testing/platform'
import { spreadCases } from '@symbolon/testing/properties'
import { base64, completionBody, creationBody, newClientKey, rebuilt, split } from '@symbolon/testing/wallets'
import { afterAll, beforeAll, expect, test } from 'vitest'

let database: TestDatabase
let platform: PlatformProcesses
let api: ApiProcess
let organization: Organization
let user: User

beforeAll(async () => {
  database = await testDatabase()
  platform = await startPlatformProcesses({ databaseUrl: database.url, apiCount: 1 })
  const [only] = platform.apis
  if (only === undefined) throw new Error('no API process')
  api = only
  organization = await createOrganization(api, 'client')
  user = await logIn(platform, api, organization)
})
afterAll(async () => {
  await platform?.stop()
  await database?.drop()
})

const post = (path: string, body?: unknown): Promise<Answer> =>
  api.call(`/v1/wallets${path}`, { method: 'POST', headers: asUser(organization, user.token), body })

/** A verified process, and the key that its shares rebuild. */
async function verified() {
  // The caps are not what is tried here.
  await platform.sql`update recovery_processes set created_at = created_at - interval '1 day'`
  const started = await post('/me/recovery/initiate')
  if (started.status !== 200) throw new Error(`No start: ${started.text}`)
  const id = String(started.data['recovery_process_id'])
  const { status, data, text } = await post(`/me/recovery/${id}/verify`, {
    code: await recoveryCode(platform, user.email, id),
  })
  if (status !== 200) throw new Error(`No shares: ${text}`)
  return { id, data, key: rebuilt(data['provider_share'], data['recovery_share']) }
}

/** Where a completion is held, in the order of its way: the statement that then waits. */
const points: [name: string, lock: string][] = [
  ['claims its process', 'lock table recovery_offers in access exclusive mode'],
  ['stores the recovery share', 'lock table recovery_shares in exclusive mode'],
  ['waits for the switch', 'select 1 from organization_counters for update'],
  ['completes the process', 'lock table recovery_processes in exclusive mode'],
  // Its claim locks the wallet's row too, and lets it go: only a change of it is held.
  ['raises the version', 'lock table wallets in share mode'],
  ['rotates the old shares', 'select 1 from wallet_shares for update'],
  ['queues the mail', 'lock table outbox in exclusive mode'],
  ['writes the event', 'lock table audit_events in exclusive mode'],
]

async function untilHeld(pending: Promise<unknown>) {
  let isOver = false
  pending.then(
    () => {
      isOver = true
    },
    () => {
      isOver = true
    },
  )
  for (let i = 0; i < 1_000 && !isOver; i++) {
    const rows = await platform.sql`
      select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and application_name = 'symbolon' and query not like '%from outbox%' `
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('The completion was not held.')
}

test('killed at any point of complete, either the old pair or the new one rebuilds the key, and the call can be repeated', async () => {
  const key = newClientKey()
  const made = await post('', creationBody(key))
  expect(made.status).toBe(201)
  const secret = new Uint8Array(key.secret)
  let inForce = base64(key.provider)
  let version = 1
  for (const [name, lock] of spreadCases(points, 3, 1)) {
    const { id, data, key: found } = await verified()
    expect([name, found, data['provider_share']]).toEqual([name, secret, inForce])
    expect(data['polynomial_version']).toBe(version)

    const fresh = split(secret)
    let worker = api.workerPid()
    let askedAt = 0
    if (worker === undefined) throw new Error('no worker')
    const held = platform.sql.begin(async (tx) => {
      await tx.unsafe(lock)
      askedAt = performance.now()
      const dying = post(`/me/recovery/${id}/complete`, completionBody(fresh))
      await untilHeld(dying)
      process.kill(Number(worker), 'SIGKILL')
      await expect(dying, name).rejects.toThrow()
    })
    await held
    await platform.ready()
    worker = api.workerPid()

    const status = await api.call(`/v1/wallets/me/recovery/${id}`, {
      headers: asUser(organization, user.token),
    })
    expect([name, status.data['state']]).toEqual([name, 'verified'])
    await platform.sql`delete from rate_limits`
    const still = await post('/me/shares/provider')
    expect([name, still.data['provider_share']]).toEqual([name, inForce])
    // Another split than the one that died: its shares must not mix with that one's.
    const again = split(secret)
    const completed = await post(`/me/recovery/${id}/complete`, completionBody(again))
    expect([name, completed.status]).toEqual([name, 204])
    // Its lease ended with the dead process, not 20 s later.
    expect(performance.now() - askedAt, name).toBeLessThan(19_000)
    inForce = base64(again.provider)
    const [row] =
      await platform.sql`select polynomial_version as version from wallets where id = ${String(made.data['id'])}`
    expect(row?.['version']).toBeGreaterThan(version)
    version = Number(row?.['version'])
  }
  const { key: found, data } = await verified()
  expect([found, data['provider_share'], data['polynomial_version']]).toEqual([secret, inForce, version])
}, 120_000)

test('a completion after a killed one waits for its lease, and wins', async () => {
  const { id } = await verified()
  await platform.sql`
    update recovery_processes set attempt_id = gen_random_uuid(), attempt_ends_at = app_now() + interval '1 second'
    where id = ${id}`
  const startedAt = performance.now()
  expect((await post(`/me/recovery/${id}/complete`, completionBody(newClientKey()))).status).toBe(204)
  expect(performance.now() - startedAt).toBeGreaterThan(900)
})
