import { type MintedSession, mintSession } from '@symbolon/testing/agents'
import {
  type Answer,
  makeTenant,
  makeWalletFor,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let second: TestApp
let tenant: Tenant
let walletId: string
let session: MintedSession

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
  tenant = await makeTenant(app)
  walletId = (await makeWalletFor(app, tenant)).id
  session = await mintSession(app, tenant, walletId)
})
afterAll(async () => {
  await second.stop()
  await app.stop()
})

const me = (token: string, process = app) => process.call('GET', '/v1/agents/me', { token })
const eventsOf = (sessionId: string) => app.sql<{ outcome: number; reason_code: string | null }[]>`
  select outcome, reason_code from agent_events where session_id = ${sessionId} order by n`

test('of many requests at once, over two processes, 60 pass per token, and then 30 a second', async () => {
  const [busy, idle] = [await mintSession(app, tenant, walletId), await mintSession(app, tenant, walletId)]
  const startedAt = performance.now()
  const answers: Answer[] = []
  // On a machine that takes long, more of them pass meanwhile: then others follow, until there are too many.
  do {
    const many = Array.from({ length: 160 }, (_, i) => me(busy.token, i % 2 === 0 ? app : second))
    answers.push(...(await Promise.all(many)))
  } while (answers.every(({ status }) => status !== 429))
  const seconds = (performance.now() - startedAt) / 1_000
  const passed = answers.filter(({ status }) => status === 200).length
  expect(passed).toBeGreaterThanOrEqual(60)
  expect(passed).toBeLessThanOrEqual(60 + Math.ceil(seconds * 30))
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers.get('ratelimit-limit')).toBe('60')
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await me(idle.token)).status).toBe(200)
})

test('the time of its last use is written at most once a minute', async () => {
  const { token, id } = await mintSession(app, tenant, walletId)
  const lastUse = async () =>
    (await app.sql<{ at: Date | null }[]>`select last_used_at as at from agent_sessions where id = ${id}`)[0]
      ?.at
  expect(await lastUse()).toBe(null)
  await me(token)
  const first = await lastUse()
  expect(first).toBeInstanceOf(Date)
  await me(token)
  expect(await lastUse()).toEqual(first)
  await app.sql`update agent_sessions set last_used_at = last_used_at - interval '61 seconds' where id = ${id}`
  await me(token)
  expect((await lastUse())?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? Number.POSITIVE_INFINITY)
})

test("authentication never waits for a commit that holds the session's row", async () => {
  const { token, id } = await mintSession(app, tenant, walletId)
  const connection = await app.sql.reserve()
  await connection`begin`
  await connection`select 1 from agent_sessions where id = ${id} for update`
  try {
    expect((await me(token)).status).toBe(200)
  } finally {
    await connection`rollback`
    connection.release()
  }
})

test("a change of the organization reaches the next request of its agents' tokens", async () => {
  const elsewhere = await makeTenant(app)
  const wallet = await makeWalletFor(app, elsewhere)
  const { token } = await mintSession(app, elsewhere, wallet.id, { allowed_chains: ['solana', 'ethereum'] })
  const sign = () =>
    app.call('POST', '/v1/agents/me/sign', {
      token,
      json: { type: 'message', message: 'hello', chain: 'ethereum' },
    })
  expect((await sign()).status).toBe(200)
  await app.sql`update organizations set supported_networks = array['solana'] where id = ${elsewhere.id}`
  expect((await sign()).error?.code).toBe('chain_unsupported')
})

test.each([
  ['no JSON', { body: '{"type":' }],
  ['a field that no request has', { json: { type: 'message', message: 'x', unknown: 1 } }],
  ['no body', {}],
])('a request to sign with %s is 400 and one event', async (_, options) => {
  for (const path of ['/v1/agents/me/sign', '/v1/agents/me/transactions', '/v1/s2s/sign']) {
    const { token, id } = await mintSession(app, tenant, walletId)
    expect((await app.call('POST', path, { token, ...options })).error?.code).toBe('invalid_request')
    expect(await eventsOf(id)).toEqual([{ outcome: 2, reason_code: 'invalid_request' }])
  }
})

test('a request with a repeated idempotency key is one signing request, with one event', async () => {
  const { token, id } = await mintSession(app, tenant, walletId)
  const json = { type: 'message', message: 'once', chain: 'base' }
  const headers = { 'idempotency-key': 'same' }
  const sign = () => app.call('POST', '/v1/agents/me/sign', { token, json, headers })
  const [first, again] = [await sign(), await sign()]
  expect(first.status).toBe(200)
  expect(again.data).toEqual(first.data)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await eventsOf(id)).toHaveLength(1)
})

test('an ended session gets 401 from every route, and its signing requests have events', async () => {
  const { token, id } = await mintSession(app, tenant, walletId)
  await app.call('POST', `/v1/orgs/${tenant.id}/agent-sessions/${id}/revoke`, { sk: tenant.sk })
  const json = { type: 'message', message: 'late', chain: 'base' }
  expect((await me(token)).error?.code).toBe('token_revoked')
  expect((await app.call('POST', '/v1/agents/me/sign', { token, json })).error?.code).toBe('token_revoked')
  const backend = { token, json: { ...json, wallet_id: walletId } }
  expect((await app.call('POST', '/v1/s2s/sign', backend)).error?.code).toBe('token_revoked')
  expect(await eventsOf(id)).toEqual([
    { outcome: 1, reason_code: 'session_revoked' },
    { outcome: 1, reason_code: 'session_revoked' },
  ])
})

test('an ended session is not answered again what it was answered before', async () => {
  const { token, id } = await mintSession(app, tenant, walletId)
  const json = { type: 'message', message: 'once', chain: 'base' }
  const sign = () =>
    app.call('POST', '/v1/agents/me/sign', { token, json, headers: { 'idempotency-key': 'kept' } })
  expect((await sign()).status).toBe(200)
  await app.call('POST', `/v1/orgs/${tenant.id}/agent-sessions/${id}/revoke`, { sk: tenant.sk })
  const late = await sign()
  expect([late.status, late.error?.code]).toEqual([401, 'token_revoked'])
  expect(await eventsOf(id)).toEqual([
    { outcome: 0, reason_code: null },
    { outcome: 1, reason_code: 'session_revoked' },
  ])
})

test("an agent's token opens no other lane, and no other credential the agent's", async () => {
  const { token } = session
  for (const [method, path] of [
    ['GET', '/v1/s2s/wallets'],
    ['GET', '/v1/s2s/agent-sessions'],
    ['GET', `/v1/orgs/${tenant.id}/agents`],
    ['POST', `/v1/orgs/${tenant.id}/agent-sessions/${session.id}/revoke`],
    ['GET', '/v1/wallets/me'],
  ] as const)
    expect((await app.call(method, path, { token })).error?.code, path).toBe('unauthorized')
  expect((await me(tenant.sk)).error?.code).toBe('unauthorized')
})
