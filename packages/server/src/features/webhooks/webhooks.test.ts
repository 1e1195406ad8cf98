import { generateKeyPairSync } from 'node:crypto'
import {
  callAs,
  newCompany,
  type PortalUser,
  portalUser,
  startTestApp,
  type TestApp,
} from '@symbolon/testing/app'
import { answerPlainly, isSignedBy, startWebhookReceiver, type WebhookReceiver } from '@symbolon/testing/http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

type Webhook = { url: string; encryption_key: object | null; signing_secret: string | null }
type Delivery = {
  message_id: string
  type: string
  delivered: boolean
  status: number | null
  error: string | null
}

let app: TestApp
let receiver: WebhookReceiver
let owner: PortalUser
let at: string

beforeAll(async () => {
  ;[app, receiver] = await Promise.all([startTestApp(), startWebhookReceiver()])
})
beforeEach(async () => {
  owner = await portalUser(app)
  at = `/v1/orgs/${(await newCompany(app, owner)).id}`
  receiver.behave(undefined)
  receiver.calls.length = 0
})
afterAll(async () => {
  await receiver.close()
  await app.stop()
})

const call = <data>(method: string, path: string, json?: unknown) =>
  callAs<data>(app, owner, [method, `${at}/webhook${path}`, json])
const put = (fields: object = {}) => call<Webhook>('PUT', '', { url: receiver.url, ...fields })
const deliveries = async () => (await call<{ items: Delivery[] }>('GET', '/deliveries')).data.items

test('the secret is shown when the webhook is made and when it is replaced, and signs the calls', async () => {
  expect((await call('GET', '')).status).toBe(404)
  const made = await put()
  expect(made.data.signing_secret).toMatch(/^whsec_/)
  const again = await put()
  expect(again.data.signing_secret).toBeNull()
  const read = await call('GET', '')
  expect(read.data).toMatchObject({ url: receiver.url, encryption_key: null })
  expect(read.text).not.toContain('secret')

  const pinged = await call('POST', '/test')
  expect(pinged.data).toEqual({ delivered: true, status: 204, error: null })
  const rotated = await call<{ signing_secret: string }>('POST', '/rotate-secret')
  await call('POST', '/test')
  const [first, second] = receiver.calls
  if (first === undefined || second === undefined) throw new Error('The receiver was not called.')
  expect(first.type).toBe('ping')
  expect(isSignedBy(made.data.signing_secret ?? '', first)).toBe(true)
  // For a day by both.
  for (const secret of [made.data.signing_secret ?? '', rotated.data.signing_secret])
    expect(isSignedBy(secret, second)).toBe(true)
})

test('the log of calls shows how each went, newest first, and never its content or its URL', async () => {
  await put()
  await call('POST', '/test')
  receiver.behave((_, response) => answerPlainly(response, 500, 'secret words'))
  await call('POST', '/test')
  await put({ url: 'http://127.0.0.1:1/nobody' })
  expect((await call('POST', '/test')).data).toEqual({ delivered: false, status: null, error: 'unreachable' })
  const items = await deliveries()
  expect(items).toMatchObject([
    { type: 'ping', delivered: false, status: null, error: 'unreachable' },
    { type: 'ping', delivered: false, status: 500, error: 'refused_by_receiver' },
    { type: 'ping', delivered: true, status: 204, error: null },
  ])
  expect(
    items
      .map(({ message_id }) => message_id)
      .reverse()
      .slice(0, 2),
  ).toEqual(receiver.calls.map(({ id }) => id))
  expect(JSON.stringify(items)).not.toMatch(/secret words|127\.0\.0\.1/)
})

test('the last hundred calls are kept', async () => {
  await put()
  for (let i = 0; i < 16; i++) await Promise.all(Array.from({ length: 8 }, () => call('POST', '/test')))
  await call('POST', '/test')
  expect((await deliveries()).length).toBe(100)
  const rows =
    await app.sql`select count(*)::integer as count from webhook_deliveries where ${at} like '%' || organization_id`
  // Two that come at once may each count without the other.
  expect(rows[0]?.['count']).toBeLessThan(110)
})

test('a log that cannot be written fails no call', async () => {
  await put()
  await app.sql`alter table webhook_deliveries rename to elsewhere`
  try {
    expect((await call('POST', '/test')).data).toMatchObject({ delivered: true })
  } finally {
    await app.sql`alter table elsewhere rename to webhook_deliveries`
  }
})

test('a key to seal shares to is kept as it is, its public half alone; anything else is refused', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { data } = await put({ encryption_key: publicKey.export({ format: 'jwk' }) })
  expect(data.encryption_key).toMatchObject({ kty: 'EC', crv: 'P-256' })
  for (const encryption_key of [privateKey.export({ format: 'jwk' }), {}, { kty: 'oct', k: 'AA' }])
    expect((await put({ encryption_key })).status).toBe(400)
})

test.each([
  'ftp://example.com/',
  'http://example.com/',
  'https://10.0.0.1/',
  'https://user:pass@example.com/',
  'https://example.com/#a',
  'nonsense',
  'https://example.com/\0',
])('is not an address to call: %j', async (url) => {
  expect(await put({ url })).toMatchObject({ status: 400, error: { code: 'invalid_request' } })
})

test('owners get an email about every change, and the log has it before and after without path or secret', async () => {
  const url = `${receiver.url}?token=hidden-in-the-query`
  const before = app.mailServer.mails.length
  const made = await put({ url })
  await put()
  const rotated = await call<{ signing_secret: string }>('POST', '/rotate-secret')
  await call('DELETE', '')
  const log = await callAs<{ items: { event_type: string; actor_id: string; payload: object }[] }>(
    app,
    owner,
    ['GET', `${at}/audit`],
  )
  const described = { origin: new URL(receiver.url).origin, has_encryption_key: false }
  expect(log.data.items.slice(0, 4)).toMatchObject([
    { event_type: 'webhook.removed', payload: { change: 'removed', before: described } },
    { event_type: 'webhook.updated', payload: { change: 'secret_rotated' } },
    { event_type: 'webhook.updated', payload: { change: 'updated', before: described, after: described } },
    { event_type: 'webhook.updated', payload: { change: 'created', after: described } },
  ])
  for (const { actor_id } of log.data.items) expect(actor_id).toBe(owner.id)
  for (let i = 0; i < 300 && app.mailServer.mails.length < before + 4; i++)
    await new Promise((resolve) => setTimeout(resolve, 10))
  const mails = app.mailServer.mails.slice(before)
  expect(mails).toHaveLength(4)
  const reported = JSON.stringify([log.data, mails, app.log.lines])
  for (const secret of [made.data.signing_secret, rotated.data.signing_secret, 'hidden-in-the-query'])
    expect(reported).not.toContain(secret)
})
