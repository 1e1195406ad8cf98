import { randomUUID } from 'node:crypto'
import { type Route, routes } from '@symbolon/api'
import {
  login,
  makeTenant,
  mintSecretKey,
  startClock,
  startTestApp,
  stopClock,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let app: TestApp
let proxied: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  proxied = await startTestApp({ installation: app, trustedProxies: ['127.0.0.1', '192.168.0.0/16'] })
  tenant = await makeTenant(app)
})
afterAll(async () => {
  await proxied.stop()
  await app.stop()
})

const statusAndCode = async (process: TestApp, sk: string, headers: Record<string, string> = {}) => {
  const { status, error } = await process.call('GET', '/v1/s2s/wallets', { sk, headers })
  return error === null ? status : error.code
}

describe('scopes', () => {
  const secret: Route[] = Object.values(routes).filter(({ lane }) => lane === 'secret')

  test.each(secret.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s asks for the scope that its route object says',
    async (_, route) => {
      const path = route.path.replace('{walletID}', randomUUID())
      const options = route.method === 'POST' ? { json: {} } : {}
      const read = await app.call(route.method, path, { ...options, sk: tenant.readKey })
      const full = await app.call(route.method, path, { ...options, sk: tenant.sk })
      expect(read.error?.code === 'insufficient_scope').toBe(route.scope === 'full')
      expect([200, 400, 404]).toContain(full.status)
      if (route.scope === 'read') expect(read.status).toBe(full.status)
    },
  )

  test('reading is all that a read key may do', () => {
    const readable = secret
      .filter(({ scope }) => scope === 'read')
      .map(({ method, path }) => `${method} ${path}`)
    expect(readable).toEqual([
      'GET /v1/s2s/receipts',
      'GET /v1/s2s/wallets',
      'GET /v1/s2s/wallets/{walletID}',
      'GET /v1/s2s/wallets/{walletID}/smart-accounts',
      'GET /v1/s2s/agent-sessions',
      'GET /v1/s2s/agent-sessions/{id}',
    ])
    expect(secret.every(({ scope }) => scope !== undefined)).toBe(true)
  })
})

describe('keys', () => {
  test('a key opens its own lane only', async () => {
    const user = await login(app, tenant)
    const codes = await Promise.all([
      app.call('GET', '/v1/s2s/wallets', { sk: tenant.pk }),
      app.call('GET', '/v1/s2s/wallets', { pk: tenant.pk }),
      app.call('GET', '/v1/s2s/wallets', { sk: user.token }),
      app.call('GET', '/v1/wallets/me/all', { pk: tenant.sk, token: user.token }),
      app.call('GET', '/v1/wallets/me/all', { pk: tenant.pk, token: tenant.sk }),
      app.call('GET', '/v1/wallets/me/all', { token: user.token }),
      app.call('GET', '/v1/wallets/me/all', { pk: tenant.pk }),
      app.call('GET', '/v1/chains'),
    ])
    expect(codes.map(({ error }) => error?.code)).toEqual(codes.map(() => 'unauthorized'))
    const chains = await Promise.all([
      app.call('GET', '/v1/chains', { pk: tenant.pk }),
      app.call('GET', '/v1/chains', { sk: tenant.readKey }),
    ])
    expect(chains.map(({ status }) => status)).toEqual([200, 200])
  })

  test("a token is good in its own organization only, though another's key comes with it", async () => {
    const other = await makeTenant(app)
    const { token } = await login(app, tenant)
    const { error } = await app.call('GET', '/v1/wallets/me/all', { pk: other.pk, token })
    expect(error?.code).toBe('unauthorized')
  })

  test('a key with one wrong character is nobody’s', async () => {
    const typo = tenant.sk.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    expect(await statusAndCode(app, typo)).toBe('unauthorized')
    expect(await statusAndCode(app, `${tenant.sk}0`)).toBe('unauthorized')
    expect(await statusAndCode(app, tenant.sk.slice(0, -1))).toBe('unauthorized')
  })

  test('the scheme is Bearer, in any case, with one space', async () => {
    const get = async (authorization: string) =>
      (await app.call('GET', '/v1/s2s/wallets', { headers: { authorization } })).status
    expect(await get(`bearer ${tenant.sk}`)).toBe(200)
    expect(await get(`BEARER ${tenant.sk}`)).toBe(200)
    expect(await get(`Basic ${tenant.sk}`)).toBe(401)
    expect(await get(tenant.sk)).toBe(401)
    expect(await get(`Bearer  ${tenant.sk}`)).toBe(401)
    expect(await get('Bearer')).toBe(401)
  })

  test('a 401 names the scheme (RFC 9110, section 15.5.2)', async () => {
    for (const path of ['/v1/s2s/wallets', '/v1/agents/me']) {
      const refused = await fetch(`${app.url}${path}`)
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    }
    const allowed = await app.call('GET', '/v1/s2s/wallets', { sk: tenant.sk })
    expect([allowed.status, allowed.headers.get('www-authenticate')]).toEqual([200, null])
  })

  test('a key ends at its expiry, by the clock of the database', async () => {
    const nowMs = Date.now()
    const expiresAt = new Date(nowMs + 60_000)
    const { key } = await mintSecretKey(app, tenant, { expiresAt })
    const options = { name: 'test', type: 'publishable', scope: null, expiresAt } as const
    const { key: pk } = await app.app.orgs.mintKey(tenant.id, { ...options, ipAllowlist: [] })
    const codes = async () => [
      await statusAndCode(app, key),
      (await app.call('GET', '/v1/chains', { pk })).error?.code,
    ]
    try {
      await stopClock(app, nowMs + 59_999)
      expect(await codes()).toEqual([200, undefined])
      await stopClock(app, nowMs + 60_000)
      expect(await codes()).toEqual(['unauthorized', 'unauthorized'])
    } finally {
      await startClock(app)
    }
  })

  test('a revoked key is refused by every process at once', async () => {
    const { key, id } = await mintSecretKey(app, tenant)
    expect([await statusAndCode(app, key), await statusAndCode(proxied, key)]).toEqual([200, 200])
    await app.sql`update api_keys set revoked_at = app_now() where id = ${id}`
    expect([await statusAndCode(app, key), await statusAndCode(proxied, key)]).toEqual([
      'unauthorized',
      'unauthorized',
    ])
  })

  test('a change of a key or its organization holds for the next request of every process', async () => {
    const own = await makeTenant(app)
    const { key: sk, id } = await mintSecretKey(app, own)
    const both = () => Promise.all([statusAndCode(app, sk), statusAndCode(proxied, sk)])
    const sign = async (process: TestApp) => {
      const json = { wallet_id: randomUUID(), type: 'message', message: 'hi' }
      return (await process.call('POST', '/v1/s2s/sign', { sk, json })).error?.code
    }
    expect(await both()).toEqual([200, 200])
    await app.sql`update api_keys set ip_allowlist = '{203.0.113.0/24}' where id = ${id}`
    expect(await both()).toEqual(['ip_not_allowed', 'ip_not_allowed'])
    await app.sql`update api_keys set ip_allowlist = '{}', scope = 'read' where id = ${id}`
    expect(await both()).toEqual([200, 200])
    expect([await sign(app), await sign(proxied)]).toEqual(['insufficient_scope', 'insufficient_scope'])
    await app.sql`update api_keys set scope = 'full' where id = ${id}`
    await app.sql`update organizations set signing_mode = 'client' where id = ${own.id}`
    expect([await sign(app), await sign(proxied)]).toEqual(['signing_mode_mismatch', 'signing_mode_mismatch'])
  })

  test('of a key only a keyed hash and its last four characters are stored', async () => {
    const dump = await app.sql`select api_keys::text as row from api_keys`
    const text = dump.map(({ row }) => row).join('\n')
    expect(text).toContain(tenant.sk.slice(-4))
    for (const key of [tenant.sk, tenant.pk, tenant.readKey]) {
      expect(text).not.toContain(key)
      expect(text).not.toContain(Buffer.from(key).toString('hex'))
      expect(text).not.toContain(key.slice(8, 20))
    }
  })
})

describe('address lists', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address })

  test('the client’s address is what the trusted proxies saw', async () => {
    const { key } = await mintSecretKey(app, tenant, {
      ipAllowlist: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
    })
    const allowed = [
      '203.0.113.1',
      '203.0.113.255',
      '2001:db8::1',
      '2001:DB8:FFFF::',
      '::ffff:203.0.113.9',
      '198.51.100.7',
    ]
    for (const address of allowed) expect(await statusAndCode(proxied, key, from(address))).toBe(200)
    for (const address of [
      '203.0.114.1',
      '198.51.100.8',
      '2001:db9::1',
      '::1',
      '::ffff:10.0.0.1',
      'nonsense',
      '',
    ]) {
      expect(await statusAndCode(proxied, key, from(address))).toBe('ip_not_allowed')
    }
    // What the client itself wrote in front counts for nothing.
    expect(await statusAndCode(proxied, key, from('203.0.113.1, 10.0.0.1'))).toBe('ip_not_allowed')
    expect(await statusAndCode(proxied, key, from('10.0.0.1, 203.0.113.1, 192.168.3.4'))).toBe(200)
  })

  test('without trusted proxies the header is nothing and the socket decides', async () => {
    const { key } = await mintSecretKey(app, tenant, { ipAllowlist: ['203.0.113.0/24'] })
    expect(await statusAndCode(app, key, from('203.0.113.1'))).toBe('ip_not_allowed')
    const { key: local } = await mintSecretKey(app, tenant, { ipAllowlist: ['127.0.0.0/8'] })
    expect(await statusAndCode(app, local, from('203.0.113.1'))).toBe(200)
  })

  test('everything means everything, of its own family', async () => {
    const { key } = await mintSecretKey(app, tenant, { ipAllowlist: ['0.0.0.0/0'] })
    expect(await statusAndCode(proxied, key, from('8.8.8.8'))).toBe(200)
    expect(await statusAndCode(proxied, key, from('2001:db8::1'))).toBe('ip_not_allowed')
  })
})
