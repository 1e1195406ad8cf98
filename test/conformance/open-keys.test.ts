import { randomUUID } from 'node:crypto'
import { makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ['127.0.0.1', '::1'] })
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const nonce = 'nonce-of-the-user-00001'
const start = (key: string, json: unknown, from: string, more: { device?: string } = {}) =>
  app.call('POST', '/v1/wallets/auth/email-otp/start', {
    pk: tenant.pk,
    json,
    headers: {
      'idempotency-key': key,
      'x-forwarded-for': from,
      ...(more.device !== undefined && { 'x-service-device': more.device }),
    },
  })
const kept = async (key: string) => (await app.sql`select 1 from idempotency_keys where key = ${key}`).length

test('an idempotency key of a login belongs to its client address and device, and no stranger takes it', async () => {
  const key = randomUUID()
  const mine = { email: 'user@example.test', client_nonce: nonce }
  expect((await start(key, { email: 'other@example.test' }, '203.0.113.1')).status).toBe(204)
  const first = await start(key, mine, '203.0.113.2')
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([204, null])
  // Behind one address, the nonce tells devices apart, and so does the header.
  const neighbour = { email: 'third@example.test', client_nonce: `${nonce}-2` }
  expect((await start(key, neighbour, '203.0.113.2')).headers.get('idempotent-replayed')).toBe(null)
  expect((await start(key, mine, '203.0.113.2', { device: `${nonce}-3` })).status).toBe(204)
  const again = await start(key, mine, '203.0.113.2')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([204, 'true'])
  const changed = await start(key, { ...mine, email: 'changed@example.test' }, '203.0.113.2')
  expect(changed).toMatchObject({ status: 422, error: { code: 'idempotency_key_reused' } })
})

test('a login that is malformed or refused by a rate keeps nothing under its idempotency key', async () => {
  const [malformed, limited] = [randomUUID(), randomUUID()]
  expect((await start(malformed, { email: 'no address' }, '203.0.113.3')).status).toBe(400)
  const json = { email: 'limited@example.test' }
  for (let i = 0; i < 5; i++) expect((await start(randomUUID(), json, '203.0.113.4')).status).toBe(204)
  expect((await start(limited, json, '203.0.113.4')).status).toBe(429)
  expect(await Promise.all([malformed, limited].map(kept))).toEqual([0, 0])
})

test('a login that its organization does not take keeps nothing under its idempotency key', async () => {
  const oidc = await makeTenant(app, { oidc: { issuer: 'https://issuer.example.test', audience: 'shop' } })
  const key = randomUUID()
  const { status, error } = await app.call('POST', '/v1/wallets/auth/email-otp/start', {
    pk: oidc.pk,
    json: { email: 'user@example.test' },
    headers: { 'idempotency-key': key, 'x-forwarded-for': '203.0.113.5' },
  })
  expect([status, error?.code]).toEqual([400, 'auth_mode_mismatch'])
  expect(await kept(key)).toBe(0)
})

test('rates per client address count an IPv6 client by its /64, and attestations its /48 as well', async () => {
  for (const last of [1, 2, 3]) {
    const headers = { 'x-forwarded-for': `2001:db8:0:${last > 2 ? 'b' : 'a'}::${last}` }
    await app.call('GET', `/v1/attestation?nonce=${'A'.repeat(22)}`, { headers })
    await app.call('GET', '/v1/auth/login', { headers })
  }
  const rows = await app.sql<
    { key: string }[]
  >`select key from rate_limits where key like '%2001:db8:%' order by key`
  expect(rows.map(({ key }) => key).sort()).toEqual([
    'attestation-network:2001:db8:0',
    ...['attestation', 'portal-login'].flatMap((name) => [`${name}:2001:db8:0:a`, `${name}:2001:db8:0:b`]),
  ])
})
