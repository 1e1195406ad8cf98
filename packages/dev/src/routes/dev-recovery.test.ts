import { randomUUID } from 'node:crypto'
import { auditEventTypes } from '@symbolon/api'
import { makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { isSignedBy, startWebhookReceiver, type WebhookReceiver } from '@symbolon/testing/http'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devRecoveryRoutes } from './dev-recovery.ts'

let platform: TestApp
let receiver: WebhookReceiver
let app: FastifyInstance
let tenant: Tenant
beforeAll(async () => {
  ;[platform, receiver] = await Promise.all([startTestApp(), startWebhookReceiver()])
  app = Fastify()
  devRecoveryRoutes(app, platform.app)
  tenant = await makeTenant(platform, { signingMode: 'client' })
})
afterAll(async () => {
  await app?.close()
  await receiver?.close()
  await platform?.stop()
})

type Method = 'PUT' | 'PATCH' | 'POST' | 'DELETE'
const call = async (method: Method, path: string, payload?: object, id = tenant.id) => {
  const answer = await app.inject({
    method,
    url: `/dev/organizations/${id}${path}`,
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
}

test('a developer sets the webhook, rotates its secret, tries it and removes it', async () => {
  const made = await call('PUT', '/webhook', { url: receiver.url })
  expect(made).toEqual({
    status: 200,
    body: { url: receiver.url, signing_secret: expect.stringMatching(/^whsec_/) },
  })
  // Only once.
  expect(await call('PUT', '/webhook', { url: receiver.url })).toEqual({
    status: 200,
    body: { url: receiver.url, note: expect.stringContaining(`/${tenant.id}/webhook/rotate-secret`) },
  })
  const rotated = await call('POST', '/webhook/rotate-secret')
  expect(await call('POST', '/webhook/test')).toEqual({
    status: 200,
    body: { delivered: true, status: 204, error: null },
  })
  const ping = receiver.callsOf('ping')[0]
  if (ping === undefined) throw new Error('No ping came.')
  expect(isSignedBy(made.body.signing_secret, ping)).toBe(true)
  expect(isSignedBy(rotated.body.signing_secret, ping)).toBe(true)
  expect(await call('DELETE', '/webhook')).toEqual({ status: 204, body: undefined })
  for (const [method, path] of [
    ['DELETE', '/webhook'],
    ['POST', '/webhook/rotate-secret'],
    ['POST', '/webhook/test'],
  ] as const)
    expect((await call(method, path)).status).toBe(404)
})

test('the recovery mode changes, and each change is one event', async () => {
  const set = (mode: string) => call('PATCH', '', { recovery_mode: mode })
  expect(await set('customer_managed')).toEqual({
    status: 200,
    body: { id: tenant.id, recovery_mode: 'customer_managed' },
  })
  await set('customer_managed')
  expect(await platform.app.orgs.recoveryModeOf(tenant.id)).toBe('customer_managed')
  await set('service_managed')
  const events = await platform.sql<{ payload: { after: string } }[]>`select payload from audit_events
    where organization_id = ${tenant.id} and type = ${auditEventTypes.indexOf('org.recovery_mode_updated')} order by n`
  expect(events.map(({ payload }) => payload.after)).toEqual(['customer_managed', 'service_managed'])
})

test('the settings of the frame change together, and each change is one event with what was and what is', async () => {
  const changes = {
    sign_confirmation: false,
    allowed_origins: ['https://shop.example', 'http://localhost:3000', 'http://[::1]:3000'],
    brand_color: '#A1B2C3',
  }
  expect(await call('PATCH', '', changes)).toEqual({
    status: 200,
    body: { id: tenant.id, ...changes, brand_color: '#a1b2c3' },
  })
  await call('PATCH', '', changes)
  await call('PATCH', '', { ...changes, brand_color: null })
  const events = await platform.sql`select payload, actor_type from audit_events
    where organization_id = ${tenant.id} and type = ${auditEventTypes.indexOf('org.settings_updated')} order by n`
  expect(events).toEqual([
    {
      actor_type: 'system',
      payload: {
        before: { sign_confirmation: true, allowed_origins: [], brand_color: null },
        after: { ...changes, brand_color: '#a1b2c3' },
      },
    },
    { actor_type: 'system', payload: { before: { brand_color: '#a1b2c3' }, after: { brand_color: null } } },
  ])
  expect((await call('PATCH', '', { sign_confirmation: true }, randomUUID())).status).toBe(404)
})

test('invalid organizations, addresses, keys and modes are refused', async () => {
  const url = receiver.url
  for (const wrong of [
    {},
    { url: 1 },
    { url: 'not a url' },
    { url: 'http://example.com/hook' },
    { url: 'ftp://127.0.0.1/' },
    { url: 'https://user:word@example.com/' },
    { url: 'https://10.0.0.1/' },
    { url: 'https://example.com/#part' },
    { url: `https://example.com/${'a'.repeat(2_048)}` },
    { url, encryption_key: 'text' },
    { url, encryption_key: {} },
  ]) {
    expect(await call('PUT', '/webhook', wrong)).toEqual({ status: 400, body: { error: expect.any(String) } })
  }
  for (const wrong of [
    {},
    { recovery_mode: 'both' },
    { name: 'Other' },
    { brand_color: 'red' },
    { sign_confirmation: 'yes' },
    { allowed_origins: ['https://*.example.com'] },
    { allowed_origins: ['https://example.com/'] },
    { allowed_origins: ['https://EXAMPLE.com'] },
    { allowed_origins: ['null'] },
    { allowed_origins: 'https://example.com' },
  ])
    expect((await call('PATCH', '', wrong)).status).toBe(400)
  for (const id of [randomUUID(), 'x']) {
    expect((await call('PUT', '/webhook', { url }, id)).status).toBe(404)
    expect((await call('PATCH', '', { recovery_mode: 'customer_managed' }, id)).status).toBe(404)
    expect((await call('DELETE', '/webhook', undefined, id)).status).toBe(404)
  }
})
