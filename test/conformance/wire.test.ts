import { randomBytes, randomUUID } from 'node:crypto'
import { type Route, routes } from '@symbolon/api'
import { mintToken } from '@symbolon/crypto'
import {
  forgetRates,
  login,
  makeTenant,
  ownOrigin,
  startTestApp,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const shop = 'https://shop.example.test'
let app: TestApp
let tenant: Tenant
let user: User

beforeAll(async () => {
  // Wired to a chain, so that every route is mounted; nothing here asks its node.
  app = await startTestApp({
    chains: [{ handle: 'local', rpcUrls: ['http://127.0.0.1:1'], confirmations: 2 }],
  })
  tenant = await makeTenant(app, { allowedOrigins: [shop, 'http://shop.example.test:8080'] })
  user = await login(app, tenant)
})
afterAll(() => app.stop())

describe('every answer', () => {
  test('is an envelope of data and error, with a request id of its own', async () => {
    const answers = await Promise.all([
      app.call('GET', '/v1/health'),
      app.call('GET', '/v1/nowhere'),
      app.call('DELETE', '/v1/health'),
      app.call('POST', '/v1/wallets/identify', user),
    ])
    for (const { text, headers } of answers) {
      expect(Object.keys(JSON.parse(text))).toEqual(['data', 'error'])
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
    }
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    expect(new Set(ids).size).toBe(4)
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('of status 204 has no body and no content type', async () => {
    const { status, text, headers } = await app.call('POST', '/v1/wallets/auth/email-otp/start', {
      pk: tenant.pk,
      json: { email: 'quiet@example.test' },
    })
    expect([status, text]).toEqual([204, ''])
    expect([headers.get('content-type'), headers.get('content-length')]).toEqual([null, null])
    expect(headers.get('x-request-id')).not.toBeNull()
  })

  test('to a path of nobody is 404, and close is not the same', async () => {
    for (const path of [
      '/',
      '/v1',
      '/v1/',
      '/v1/health/',
      '/V1/health',
      '/v1/health/x',
      '/v2/health',
      '/v1//health',
    ]) {
      expect(await app.call('GET', path)).toMatchObject({ status: 404, error: { code: 'not_found' } })
    }
  })

  const paths = new Map<string, string[]>()
  for (const { path, method } of Object.values(routes)) paths.set(path, [...(paths.get(path) ?? []), method])

  // To GET, `batch` is the id of a wallet that cannot be.
  paths.get('/v1/s2s/wallets/batch')?.push('GET')
  // As `initiate` is of a recovery, and both steps of an export are.
  for (const step of ['recovery/initiate', 'export/initiate', 'export/complete'])
    paths.get(`/v1/wallets/me/${step}`)?.push('GET')
  // And these are hashes that cannot be.
  for (const name of ['build', 'submit']) paths.get(`/v1/userop/${name}`)?.push('GET')

  test.each([...paths])('to another method on %s is 405 with what is allowed', async (path, allowed) => {
    const url = path.replace('{walletID}', randomUUID())
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (name) => !allowed.includes(name),
    )) {
      const { status, error, headers } = await app.call(method, url)
      expect([status, error?.code]).toEqual([405, 'method_not_allowed'])
      const methods = (headers.get('allow') ?? '')
        .split(', ')
        .filter((name) => name !== 'HEAD' && name !== 'OPTIONS')
      expect(methods.sort()).toEqual([...allowed].sort())
    }
  })
})

describe('the open routes', () => {
  test('health and readiness say what is up, and that attestation is simulated', async () => {
    expect((await app.call('GET', '/v1/health')).data).toEqual({ status: 'ok' })
    const ready = await app.call('GET', '/v1/ready')
    expect(ready).toMatchObject({
      status: 200,
      data: {
        status: 'ready',
        components: {
          database: { status: 'up' },
          kms: { status: 'up' },
          enclave: { status: 'up', phase: 'serving', mode: 'simulated' },
        },
      },
    })
  })

  test('the OpenAPI document is raw and names every route', async () => {
    const { status, text } = await app.call('GET', '/v1/openapi.json')
    const document = JSON.parse(text)
    expect([status, document.info.version, document.openapi]).toEqual([200, '3.0.0', '3.1.0'])
    for (const { path, method } of Object.values(routes)) {
      expect(document.paths[path]).toHaveProperty(method.toLowerCase())
    }
  })

  test('the chains are listed with their networks', async () => {
    const { data } = await app.call<{ items: Record<string, unknown>[] }>('GET', '/v1/chains', {
      pk: tenant.pk,
    })
    expect(data.items).toContainEqual({
      handle: 'base',
      network: 'evm',
      curve: 'secp256k1',
      chain_id: 8453,
      caip2: 'eip155:8453',
      native_asset: { symbol: 'ETH', decimals: 18 },
      rpc: false,
      bundler: false,
    })
  })
})

describe('a browser', () => {
  const get = (origin: string, pk = tenant.pk) => app.call('GET', '/v1/chains', { pk, headers: { origin } })

  test('may come from the listed origins and the platform’s own, and may then read the answer', async () => {
    for (const origin of [shop, 'http://shop.example.test:8080', ownOrigin]) {
      const { status, headers } = await get(origin)
      expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
        200,
        origin,
        'Origin',
      ])
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
    // A failure is for its page to read as well.
    const refused = await app.call('GET', '/v1/wallets/me?curve=nonsense', {
      ...user,
      headers: { origin: shop },
    })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([400, shop])
    expect((await app.call('GET', '/v1/chains', { pk: tenant.pk })).status).toBe(200)
  })

  test.each([
    'http://shop.example.test',
    'https://shop.example.test:444',
    'https://shop.example.test:443',
    'https://SHOP.example.test',
    'https://shop.example.test.evil.test',
    'https://evil-shop.example.test',
    'https://a.shop.example.test',
    'https://shop.example.test/',
    'null',
    'http://localhost:3000',
  ])('from %s is refused', async (origin) => {
    const { status, error, headers } = await get(origin)
    expect([status, error?.code]).toEqual([403, 'origin_not_allowed'])
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('may read on any page that a publishable key is unknown', async () => {
    const origin = 'https://elsewhere.example.test'
    const mistyped = `${tenant.pk.slice(0, -1)}${tenant.pk.endsWith('a') ? 'b' : 'a'}`
    for (const pk of [mistyped, mintToken('pk_live_', randomBytes(32))]) {
      const { status, error, headers } = await get(origin, pk)
      expect([status, error?.code]).toEqual([401, 'unauthorized'])
      expect(headers.get('access-control-allow-origin')).toBe(origin)
    }
  })

  test('finds no way into an organization without origins but from the platform itself', async () => {
    const closed = await makeTenant(app)
    expect((await get(shop, closed.pk)).status).toBe(403)
    expect((await get(ownOrigin, closed.pk)).status).toBe(200)
  })

  test('asks first: a preflight is answered for origins of any organization', async () => {
    const preflight = (origin: string, path = '/v1/wallets') =>
      app.call('OPTIONS', path, { headers: { origin, 'access-control-request-method': 'POST' } })
    const { status, text, headers } = await preflight(shop)
    expect([status, text, headers.get('access-control-allow-origin')]).toEqual([204, '', shop])
    expect(headers.get('access-control-allow-methods')).toBe('POST')
    expect(headers.get('access-control-allow-headers')).toMatch(
      /authorization.*content-type.*idempotency-key.*x-service-publishable-key/,
    )
    expect(
      (await preflight('https://evil.example.test')).headers.get('access-control-allow-origin'),
    ).toBeNull()
  })

  test('asks first for what anybody’s page may read, with headers of its own, too', async () => {
    const headers = {
      origin: 'https://anybody.example.test',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-service-publishable-key',
    }
    const { status, headers: got } = await app.call('OPTIONS', '/v1/attestation', { headers })
    expect([status, got.get('access-control-allow-origin'), got.get('access-control-allow-methods')]).toEqual(
      [204, '*', 'GET'],
    )
    expect(got.get('access-control-allow-headers')).toContain('x-service-publishable-key')
    expect(got.get('access-control-allow-credentials')).toBeNull()
  })

  test('gets no CORS headers from the backend lane', async () => {
    const headers = { origin: shop }
    const answer = await app.call('GET', '/v1/s2s/wallets', { sk: tenant.sk, headers })
    const preflight = await app.call('OPTIONS', '/v1/s2s/wallets', {
      headers: { ...headers, 'access-control-request-method': 'GET' },
    })
    for (const { headers: got } of [answer, preflight]) {
      expect([...got.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
})

describe('an idempotency key', () => {
  const create = (key: string, email: string, sk = tenant.sk) =>
    app.call('POST', '/v1/s2s/wallets', { sk, json: { email }, headers: { 'idempotency-key': key } })

  test('repeats the first answer, a refusal too, and says so', async () => {
    const [key, email] = [randomUUID(), `${randomUUID()}@example.test`]
    const first = await create(key, email)
    const again = await create(key, email)
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.text,
      'true',
    ])
    const other = randomUUID()
    const refused = await create(other, email)
    expect([refused.status, (await create(other, email)).text]).toEqual([409, refused.text])
  })

  test('is the same one however the path is spelled', async () => {
    const [key, email] = [randomUUID(), `${randomUUID()}@example.test`]
    const { text } = await create(key, email)
    for (const path of ['/v1/s2s/wallets?x=1', '/v1/s2s/%77allets']) {
      const headers = { 'idempotency-key': key }
      const again = await app.call('POST', path, { sk: tenant.sk, json: { email }, headers })
      expect([again.text, again.headers.get('idempotent-replayed')], path).toEqual([text, 'true'])
    }
  })

  test('is another one with another credential or path', async () => {
    const elsewhere = await makeTenant(app)
    const [key, email] = [randomUUID(), `${randomUUID()}@example.test`]
    expect((await create(key, email)).status).toBe(201)
    expect((await create(key, email, elsewhere.sk)).status).toBe(201)
    const headers = { 'idempotency-key': key }
    const batch = await app.call('POST', '/v1/s2s/wallets/batch', {
      sk: tenant.sk,
      json: { items: [{ email }] },
      headers,
    })
    expect(batch.status).toBe(200)
  })

  test('lets one of many requests run', async () => {
    await forgetRates(app)
    const [key, email] = [randomUUID(), `${randomUUID()}@example.test`]
    const answers = await Promise.all(Array.from({ length: 16 }, () => create(key, email)))
    const ran = answers.filter(
      ({ status, headers }) => status === 201 && headers.get('idempotent-replayed') === null,
    )
    expect(ran).toHaveLength(1)
    for (const { status, error, text } of answers) {
      if (status !== 201) expect(error?.code).toBe('idempotency_key_in_flight')
      else expect(text).toBe(ran[0]?.text)
    }
  })

  test('repeats a 204 without body or content type', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const { data } = await app.call('POST', '/v1/s2s/wallets', {
      sk: tenant.sk,
      json: { email: `${randomUUID()}@example.test` },
    })
    const archive = () =>
      app.call('POST', `/v1/s2s/wallets/${data['id']}/archive`, { sk: tenant.sk, headers })
    const [first, again] = [await archive(), await archive()]
    expect([first.status, again.status, again.text, again.headers.get('content-type')]).toEqual([
      204,
      204,
      '',
      null,
    ])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('has 1 to 255 visible characters', async () => {
    const status = async (key: string) => (await create(key, `${randomUUID()}@example.test`)).status
    expect(await status('x'.repeat(255))).toBe(201)
    for (const key of ['x'.repeat(256), 'a b', 'ü']) expect(await status(key)).toBe(400)
  })
})

describe('bodies', () => {
  const bodiless: Route[] = Object.values(routes as Record<string, Route>).filter(
    // Those of the portal are in hostile-bodies.
    ({ method, body, lane, handler }) =>
      method === 'POST' && body === undefined && !lane.startsWith('portal') && handler !== 'raw',
  )

  test.each(bodiless.map(({ path }) => path))('%s takes none, or an empty object', async (path) => {
    const isOfShares = path.startsWith('/v1/wallets/me/shares')
    const owner = isOfShares ? await login(app, await makeTenant(app, { signingMode: 'client' })) : user
    const credentials = path.startsWith('/v1/s2s') ? { sk: tenant.sk } : owner
    const url = path.replace('{walletID}', randomUUID())
    for (const body of ['{"a":1}', '[]', 'null', '1', '""']) {
      await forgetRates(app)
      expect(await app.call('POST', url, { ...credentials, body })).toMatchObject({
        status: 400,
        error: { code: 'invalid_request' },
      })
    }
    await forgetRates(app)
    for (const body of ['{}', ' { } ', '']) {
      const caller = path === '/v1/wallets/me/logout' ? await login(app, tenant) : credentials
      expect([200, 204, 404]).toContain((await app.call('POST', url, { ...caller, body })).status)
    }
  })

  test('a refused schema says where and why, and nothing about the value', async () => {
    const { error } = await app.call('POST', '/v1/s2s/wallets/batch', {
      sk: tenant.sk,
      json: { items: [{ email: 'very-secret-value' }] },
    })
    expect(error?.details).toMatchObject({
      issues: [{ path: ['items', 0, 'email'], message: expect.any(String) }],
    })
    expect(JSON.stringify(error)).not.toContain('very-secret-value')
  })
})
