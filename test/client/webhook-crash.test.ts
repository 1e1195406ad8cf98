import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import type { Answer } from '@symbolon/testing/http'
import {
  isSignedBy,
  type ReceivedCall,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@symbolon/testing/http'
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
import {
  base64,
  type ClientKey,
  completionBody,
  creationBody,
  newClientKey,
  rebuilt,
  split,
} from '@symbolon/testing/wallets'
import { afterAll, beforeAll, expect, test } from 'vitest'

let database: TestDatabase
let platform: PlatformProcesses
let api: ApiProcess
let receiver: WebhookReceiver
let organization: Organization
let user: User
let key: ClientKey
let walletId: string
let secret: string

beforeAll(async () => {
  ;[database, receiver] = await Promise.all([testDatabase(), startWebhookReceiver()])
  platform = await startPlatformProcesses({ databaseUrl: database.url, apiCount: 1 })
  const [only] = platform.apis
  if (only === undefined) throw new Error('no API process')
  api = only
  organization = await createOrganization(api, 'client')
  const at = `/dev/organizations/${organization.id}`
  const webhook = await api.call(`${at}/webhook`, { method: 'PUT', body: { url: receiver.url } })
  secret = JSON.parse(webhook.text).signing_secret
  await api.call(at, { method: 'PATCH', body: { recovery_mode: 'customer_managed' } })
  user = await logIn(platform, api, organization)
  key = newClientKey()
  const made = await post('', creationBody(key))
  expect([made.status, receiver.callsOf('recovery_share.store').length]).toEqual([201, 1])
  walletId = String(made.data['id'])
})
afterAll(async () => {
  await platform?.stop()
  await receiver?.close()
  await database?.drop()
})

const post = (path: string, body?: unknown): Promise<Answer> =>
  api.call(`/v1/wallets${path}`, { method: 'POST', headers: asUser(organization, user.token), body })

async function verified() {
  const started = await post('/me/recovery/initiate')
  const id = String(started.data['recovery_process_id'])
  const code = await recoveryCode(platform, user.email, id)
  const { status, data, text } = await post(`/me/recovery/${id}/verify`, { code })
  if (status !== 200) throw new Error(`No shares: ${text}`)
  return { id, data, key: rebuilt(data['provider_share'], data['recovery_share']) }
}

/** Kills the worker once the receiver has got such a call, which it never answers; `isKept` says whether it acts on it. */
async function killAt(type: string, isKept: boolean, act: () => Promise<unknown>): Promise<ReceivedCall> {
  let arrived: (call: ReceivedCall) => void = () => {}
  const arrival = new Promise<ReceivedCall>((resolve) => {
    arrived = resolve
  })
  receiver.behave((call) => {
    if (call.type !== type) return undefined
    const { wallet_id: wallet, polynomial_version: version, recovery_share: share } = call.data
    if (isKept && share !== undefined) receiver.shares.set(`${wallet}/${version}`, String(share))
    arrived(call)
    return true
  })
  const acted = act().catch(() => undefined)
  const call = await arrival
  process.kill(Number(api.workerPid()), 'SIGKILL')
  await acted
  await platform.ready()
  receiver.behave(undefined)
  return call
}

test('killed while the receiver stores, whether it did or not, the old pair stands and other shares complete it', async () => {
  let inForce = base64(key.provider)
  for (const isKept of [false, true]) {
    const { id, data, key: found } = await verified()
    expect([found, data['provider_share']]).toEqual([new Uint8Array(key.secret), inForce])
    await killAt('recovery_share.store', isKept, () =>
      post(`/me/recovery/${id}/complete`, completionBody(split(key.secret))),
    )
    // The lease of the dead attempt: nobody waits for it in a test.
    await platform.sql`update recovery_processes set attempt_ends_at = app_now() where id = ${id}`
    await platform.sql`delete from rate_limits`
    expect((await post('/me/shares/provider')).data['provider_share']).toBe(inForce)
    const again = split(key.secret)
    expect((await post(`/me/recovery/${id}/complete`, completionBody(again))).status).toBe(204)
    inForce = base64(again.provider)
  }
  const { key: found, data } = await verified()
  expect([found, data['provider_share']]).toEqual([new Uint8Array(key.secret), inForce])
}, 60_000)

test('killed while it reports the rotation, another process reports it once the lease is over', async () => {
  const { id } = await verified()
  const first = await killAt('recovery_share.rotated', false, () =>
    post(`/me/recovery/${id}/complete`, completionBody(split(key.secret))),
  )
  await api.call('/dev/clock', { method: 'POST', body: { advance_ms: 31_000 } })
  const again = () => receiver.callsOf('recovery_share.rotated').filter((call) => call.id === first.id)
  for (let i = 0; i < 1_000 && again().length < 2; i++)
    await new Promise((resolve) => setTimeout(resolve, 10))
  expect(again().map(({ body }) => body)).toEqual([first.body, first.body])
  expect(first.data['wallet_id']).toBe(walletId)
  for (const call of again()) expect(isSignedBy(secret, call)).toBe(true)
}, 60_000)

test('the log of it all holds neither secret nor share', () => {
  const logs = platform.logs()
  expect(logs.length).toBeGreaterThan(1_000)
  const planted = [secret, ...[...receiver.shares.values()], base64(key.provider)]
  expect(planted.filter((text) => logs.includes(text.slice(0, 30)))).toEqual([])
})
