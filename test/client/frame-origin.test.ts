import { get } from 'node:http'
import type { Queryable } from '@symbolon/server/pool'
import { login, makeTenant, ownOrigin, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { seedClientWallet, testDatabase } from '@symbolon/testing/database'
import { creationBody, newClientKey } from '@symbolon/testing/wallets'
import { afterAll, beforeAll, expect, test } from 'vitest'

const frameOrigin = 'https://frame.example.net'
const [ownHost, frameHost] = [ownOrigin, frameOrigin].map((origin) => new URL(origin).host) as [
  string,
  string,
]
let app: TestApp
let shop: Tenant

beforeAll(async () => {
  app = await startTestApp({ frameOrigin, trustedProxies: ['127.0.0.1'] })
  shop = await makeTenant(app, { signingMode: 'client', allowedOrigins: ['https://shop.example'] })
})
afterAll(() => app.stop())

/** The status and CSP of a page as the proxy in front asks for it. */
const asked = (path: string, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; policy: string }>((resolve, reject) => {
    get(`${app.url}${path}`, { headers }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode, policy: String(answer.headers['content-security-policy']) })
    }).on('error', reject)
  })

test('the frame lives at its own origin alone, and this origin serves nothing else', async () => {
  const frame = `/frame?publishable_key=${shop.pk}`
  const shared = [
    '/v1/health',
    '/v1/frame',
    '/portal',
    '/docs/',
    '/sdk.js',
    '/tools/rescue.html',
    '/v1/auth/session',
  ]
  for (const headers of [
    { host: frameHost },
    { host: `${frameHost}:443` },
    { host: '10.0.0.1', 'x-forwarded-host': frameHost },
  ]) {
    for (const path of [frame, `/?publishable_key=${shop.pk}`, '/frame', '/frame/document'])
      expect((await asked(path, headers)).status).toBe(200)
    for (const path of shared) expect([path, (await asked(path, headers)).status]).toEqual([path, 404])
  }
  for (const headers of [
    { host: ownHost },
    { host: '10.0.0.1' },
    { host: `${frameHost}.` },
    { host: `${frameHost}:8443` },
  ]) {
    for (const path of [frame, '/', '/frame', '/frame/document', '/frame/assets/x.js'])
      expect((await asked(path, headers)).status).toBe(404)
    expect((await asked('/v1/health', headers)).status).toBe(200)
  }
  const { policy } = await asked(frame, { host: frameHost })
  expect(policy).toContain(`script-src ${frameOrigin}/frame/assets/`)
  expect(policy).toContain(`connect-src ${ownOrigin}/v1/;`)
  expect(policy).toContain(`frame-ancestors ${ownOrigin} https://shop.example;`)
})

test('anybody may ask where the frame is, from any page', async () => {
  const { status, data, headers } = await app.call('GET', '/v1/frame', {
    headers: { origin: 'https://any.example' },
  })
  expect([status, data, headers.get('access-control-allow-origin')]).toEqual([200, { url: frameOrigin }, '*'])
})

test('with its key, a page learns whether the key and its origin are good, and may read a refusal of either', async () => {
  const ask = async (key: string, origin: string) => {
    const answer = await app.call('GET', `/v1/frame?publishable_key=${key}`, { headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    return [answer.status, answer.error?.code ?? null, answer.error?.message ?? answer.data]
  }
  const place = `Settings, Allowed origins, in the portal (${ownOrigin}/portal).`
  const where = 'Create one in the portal, under API keys, or in development take it from dev.json.'
  const revoked = await makeTenant(app, { signingMode: 'client' })
  await app.sql`update api_keys set revoked_at = now() where organization_id = ${revoked.id}`
  const mistyped = `${shop.pk.slice(0, -1)}${shop.pk.endsWith('0') ? '1' : '0'}`
  for (const origin of ['https://shop.example', 'https://other.example']) {
    expect(await ask(mistyped, origin)).toEqual([
      401,
      'unauthorized',
      `This publishable key is incomplete or mistyped. ${where}`,
    ])
    expect(await ask(revoked.pk, origin)).toEqual([
      401,
      'unauthorized',
      `This publishable key is unknown or was revoked. ${where}`,
    ])
  }
  expect(await ask(shop.pk, 'https://shop.example')).toEqual([200, null, { url: frameOrigin }])
  const unlisted = 'is not in the allowed origins of this organization. Add it under'
  for (const [origin, message] of [
    ['https://other.example', `https://other.example ${unlisted} ${place}`],
    ['null', 'This page has no origin, as a file has none. Serve it over http or https.'],
    ['<b>words</b>', `This origin ${unlisted} ${place}`],
  ] as const)
    expect(await ask(shop.pk, origin)).toEqual([403, 'origin_not_allowed', message])
  expect((await ask('sk_live_x', 'https://shop.example')).slice(0, 2)).toEqual([400, 'invalid_request'])
})

test('the frame calls the wallet lane from its origin, and the portal from none but the platform’s own', async () => {
  const login = (origin: string) =>
    app.call('POST', '/v1/wallets/auth/email-otp/start', {
      pk: shop.pk,
      headers: { origin },
      json: { email: 'frame@example.test' },
    })
  for (const [origin, status] of [
    [frameOrigin, 204],
    [ownOrigin, 204],
    ['https://frame.example.net:8443', 403],
    ['http://frame.example.net', 403],
  ] as const) {
    const answer = await login(origin)
    expect([origin, answer.status]).toEqual([origin, status])
    if (status === 204) expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
  }
  const preflight = await app.call('OPTIONS', '/v1/wallets/me/sign', { headers: { origin: frameOrigin } })
  expect(preflight.headers.get('access-control-allow-origin')).toBe(frameOrigin)
  const { cookie } = await app.app.portal.openSession('frame-owner@example.test')
  const logout = (origin: string) =>
    app.call('POST', '/v1/auth/logout', { headers: { origin, cookie: cookie.split(';')[0] ?? '' } })
  expect((await logout(frameOrigin)).error?.code).toBe('origin_not_allowed')
  expect((await logout(ownOrigin)).status).toBe(204)
})

test('the frame’s origin may change until the first client-mode wallet, and never after', async () => {
  const database = await testDatabase()
  const claim = async (wanted: string, former = 'https://a.example') =>
    (await database.sql`select claim_frame_origin(wanted => ${wanted}, former => ${former}) as origin`)[0]?.[
      'origin'
    ]
  expect(await claim('https://a.example')).toBe('https://a.example')
  expect(await claim('https://f.example')).toBe('https://f.example')
  expect(await claim('https://g.example')).toBe('https://g.example')
  const id = await seedClientWallet(database.sql)
  expect(await claim('https://f.example')).toBe('https://g.example')
  expect(await claim('https://g.example')).toBe('https://g.example')
  // An installation from before it was recorded: its shares are where its platform is.
  await database.sql`delete from frame_origin`
  expect(await claim('https://f.example')).toBe('https://a.example')
  await database.sql`delete from wallets where organization_id = ${id}`
  expect(await claim('https://f.example')).toBe('https://f.example')
  await database.drop()
})

test('a start and the first client-mode wallet that race agree on one origin, whichever is first', async () => {
  const { sql } = app
  const moved = 'https://moved.example.net'
  const claim = async (on: Queryable, wanted: string) => {
    const rows = await on<{ origin: string }[]>`
      select claim_frame_origin(wanted => ${wanted}, former => ${ownOrigin}) as origin`
    return rows[0]?.origin
  }
  const someoneWaits = () =>
    expect.poll(() => sql`select from pg_locks where locktype = 'advisory' and not granted`).toHaveLength(1)
  const first = await sql.reserve()
  await claim(sql, frameOrigin)

  await first.unsafe('begin')
  await claim(first, moved)
  const { pk, token } = await login(app, shop)
  const refused = app.call('POST', '/v1/wallets', { pk, token, json: creationBody(newClientKey()) })
  await someoneWaits()
  await first.unsafe('commit')
  expect((await refused).error?.code).toBe('unavailable')
  expect(await sql`select from wallets`).toHaveLength(0)

  await claim(sql, frameOrigin)
  await first.unsafe('begin')
  await seedClientWallet(first)
  await first`select hold_frame_origin(served => ${frameOrigin})`
  const late = claim(sql, moved)
  await someoneWaits()
  await first.unsafe('commit')
  first.release()
  expect(await late).toBe(frameOrigin)
})
