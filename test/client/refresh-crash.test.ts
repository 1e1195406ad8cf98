import type { Wallet } from '@symbolon/api'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import type { Answer } from '@symbolon/testing/http'
import { startWebhookReceiver, type WebhookReceiver } from '@symbolon/testing/http'
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
import {
  base64,
  type ClientKey,
  creationBody,
  newClientKey,
  rebuilt,
  refreshBody,
  split,
} from '@symbolon/testing/wallets'
import { afterAll, beforeAll, expect, test } from 'vitest'

let database: TestDatabase
let platform: PlatformProcesses
let api: ApiProcess
let receiver: WebhookReceiver

beforeAll(async () => {
  ;[database, receiver] = await Promise.all([testDatabase(), startWebhookReceiver()])
  platform = await startPlatformProcesses({ databaseUrl: database.url, apiCount: 1 })
  const [only] = platform.apis
  if (only === undefined) throw new Error('no API process')
  api = only
})
afterAll(async () => {
  await platform?.stop()
  await receiver?.close()
  await database?.drop()
})

type Owner = { organization: Organization; user: User; key: ClientKey; wallet: Wallet }

const post = ({ organization, user }: Omit<Owner, 'key' | 'wallet'>, path: string, body?: unknown) =>
  api.call(`/v1/wallets${path}`, { method: 'POST', headers: asUser(organization, user.token), body })

async function newOwner(prepare: (organization: Organization) => Promise<unknown>): Promise<Owner> {
  const organization = await createOrganization(api, 'client')
  await prepare(organization)
  const user = await logIn(platform, api, organization)
  const key = newClientKey()
  const made = await post({ organization, user }, '', creationBody(key))
  if (made.status !== 201) throw new Error(`No wallet: ${made.text}`)
  return { organization, user, key, wallet: made.data as unknown as Wallet }
}

const walletOf = async ({ organization, user }: Owner): Promise<Wallet> =>
  (await api.call('/v1/wallets/me', { headers: asUser(organization, user.token) })).data as unknown as Wallet

async function providerShare(owner: Owner): Promise<unknown> {
  await platform.sql`delete from rate_limits`
  return (await post(owner, '/me/shares/provider')).data['provider_share']
}

/** What a recovery from now on rebuilds, and from which provider share. */
async function recovered(owner: Owner) {
  await platform.sql`update recovery_processes set created_at = created_at - interval '1 day'`
  const started = await post(owner, '/me/recovery/initiate')
  const id = String(started.data['recovery_process_id'])
  const code = await recoveryCode(platform, owner.user.email, id)
  const { status, data, text } = await post(owner, `/me/recovery/${id}/verify`, { code })
  if (status !== 200) throw new Error(`No shares: ${text}`)
  return [rebuilt(data['provider_share'], data['recovery_share']), data['provider_share']]
}

/** The old pair stands; other shares then replace it, under a version that the dead attempt did not use up for them. */
async function standsAndGoesOn(
  owner: Owner,
  inForce: string,
  wallet: Wallet,
  late = () => {},
): Promise<string> {
  expect(await walletOf(owner)).toEqual(wallet)
  expect(await providerShare(owner)).toBe(inForce)
  expect(await recovered(owner)).toEqual([new Uint8Array(owner.key.secret), inForce])
  const again = split(owner.key.secret)
  await platform.sql`delete from rate_limits`
  const askedAt = performance.now()
  const refreshed: Answer = await post(owner, '/me/shares/refresh', refreshBody(owner.key, wallet, again))
  // The lease of the dead attempt ended with its process.
  expect(performance.now() - askedAt).toBeLessThan(2_000)
  expect([refreshed.status, refreshed.text]).toEqual([200, expect.any(String)])
  expect(refreshed.data['polynomial_version']).toBeGreaterThan(wallet.polynomial_version)
  late()
  expect(await recovered(owner)).toEqual([new Uint8Array(owner.key.secret), base64(again.provider)])
  return base64(again.provider)
}

/** Where a refresh is held, in the order of its way: the statement that then waits. */
const points: [name: string, lock: string][] = [
  ['stores the recovery share', 'lock table recovery_shares in exclusive mode'],
  ['waits for the switch', 'select 1 from organization_counters for update'],
  ['raises the version', 'lock table wallets in share mode'],
  ['rotates the old shares', 'select 1 from wallet_shares for update'],
  ['writes the event', 'lock table audit_events in exclusive mode'],
]

async function untilHeld(pending: Promise<unknown>) {
  let isOver = false
  const over = () => {
    isOver = true
  }
  pending.then(over, over)
  for (let i = 0; i < 1_000 && !isOver; i++) {
    const rows = await platform.sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and application_name = 'symbolon' and query not like '%from outbox%'`
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('The refresh was not held.')
}

test('killed at any point of a refresh, the old pair rebuilds the key, and another refresh replaces it', async () => {
  const owner = await newOwner(async () => {})
  let inForce = base64(owner.key.provider)
  for (const [name, lock] of spreadCases(points, 2)) {
    const wallet = await walletOf(owner)
    await platform.sql.begin(async (tx) => {
      await tx.unsafe(lock)
      const dying = post(owner, '/me/shares/refresh', refreshBody(owner.key, wallet, split(owner.key.secret)))
      await untilHeld(dying)
      process.kill(Number(api.workerPid()), 'SIGKILL')
      await expect(dying, name).rejects.toThrow()
    })
    await platform.ready()
    inForce = await standsAndGoesOn(owner, inForce, wallet)
  }
}, 60_000)

test('killed while the webhook stores, whether it did or not, old and new shares never mix', async () => {
  const owner = await newOwner(async ({ id }) => {
    const at = `/dev/organizations/${id}`
    await api.call(`${at}/webhook`, { method: 'PUT', body: { url: receiver.url } })
    await api.call(at, { method: 'PATCH', body: { recovery_mode: 'customer_managed' } })
  })
  let inForce = base64(owner.key.provider)
  for (const isKept of [false, true]) {
    const wallet = await walletOf(owner)
    const arrival = new Promise<() => void>((resolve) => {
      receiver.behave(({ type, data }) => {
        if (type !== 'recovery_share.store') return undefined
        const place = `${data['wallet_id']}/${data['polynomial_version']}`
        const keep = () => void receiver.shares.set(place, String(data['recovery_share']))
        if (isKept) keep()
        resolve(keep)
        return true
      })
    })
    const dying = post(owner, '/me/shares/refresh', refreshBody(owner.key, wallet, split(owner.key.secret)))
    const ended = dying.catch(() => undefined)
    const keep = await arrival
    process.kill(Number(api.workerPid()), 'SIGKILL')
    await ended
    await platform.ready()
    receiver.behave(undefined)
    // What the dead attempt sent may arrive long after: under its own version it harms nobody.
    inForce = await standsAndGoesOn(owner, inForce, wallet, keep)
  }
}, 60_000)

test('a refresh after a killed one waits for its lease, and wins', async () => {
  const owner = await newOwner(async () => {})
  await platform.sql`
    insert into share_refreshes values (${owner.wallet.id}, gen_random_uuid(), app_now() + interval '1 second')`
  const startedAt = performance.now()
  const body = refreshBody(owner.key, owner.wallet, split(owner.key.secret))
  expect((await post(owner, '/me/shares/refresh', body)).status).toBe(200)
  expect(performance.now() - startedAt).toBeGreaterThan(900)
})
