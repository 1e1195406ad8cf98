import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Identity, Wallet } from '@symbolon/api'
import {
  login,
  mailedCode,
  mailsTo,
  makeTenant,
  makeWallet,
  otherCode,
  ownOrigin,
  startClock,
  startTestApp,
  stopClock,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod'

let app: TestApp
let second: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
  tenant = await makeTenant(app)
})
afterAll(async () => {
  await second.stop()
  await app.stop()
})

const start = (email: string, { pk } = tenant) =>
  app.call('POST', '/v1/wallets/auth/email-otp/start', { pk, json: { email } })
const verify = (email: string, code: string, process = app) =>
  process.call<{ token: string; user_identity_id: string; email: string }>(
    'POST',
    '/v1/wallets/auth/email-otp/verify',
    {
      pk: tenant.pk,
      json: { email, code },
    },
  )

const sentTo = (email: string) => mailsTo(app, email).length

/** Asks for a code and waits for the email. */
async function codeFor(email: string): Promise<string> {
  const before = sentTo(email)
  expect((await start(email)).status).toBe(204)
  return mailedCode(app, email, before)
}

describe('the emailed code', () => {
  test('one user, whatever the spelling of the address: trimmed, NFKC, lower case', async () => {
    const code = await (async () => {
      await start('  Ａlice@Example.TEST ')
      return mailedCode(app, 'alice@example.test')
    })()
    const { status, data } = await verify('ALICE@example.test\n', code)
    expect(status).toBe(200)
    expect(data.email).toBe('alice@example.test')
    const again = await login(app, tenant, 'alice@example.test')
    expect(again.id).toBe(data.user_identity_id)
  })

  test('the token is what the document says, for one hour', async () => {
    const nowMs = Math.floor(Date.now() / 1000) * 1000
    await stopClock(app, nowMs)
    try {
      const { token, id, email } = await login(app, tenant)
      expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kid: expect.any(String) })
      const iat = nowMs / 1000
      expect(decodeJwt(token)).toEqual({
        iss: ownOrigin,
        aud: tenant.id,
        sub: id,
        email,
        auth_provider: 'service',
        jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
        iat,
        exp: iat + 3600,
      })
      const identify = async () =>
        (await app.call('POST', '/v1/wallets/identify', { pk: tenant.pk, token })).error?.code
      await stopClock(app, nowMs + 3_599_999)
      expect(await identify()).toBeUndefined()
      await stopClock(app, nowMs + 3_600_000)
      expect(await identify()).toBe('token_expired')
    } finally {
      await startClock(app)
    }
  })

  test('a code works once, and only while it is the newest', async () => {
    const email = 'newest@example.test'
    const first = await codeFor(email)
    let newest = await codeFor(email)
    // One draw in a million is the same again.
    while (newest === first) newest = await codeFor(email)
    expect((await verify(email, first)).error?.code).toBe('invalid_code')
    expect((await verify(email, newest)).status).toBe(200)
    expect((await verify(email, newest)).error?.code).toBe('invalid_code')
  })

  test('a code ends after ten minutes', async () => {
    const nowMs = Date.now()
    await stopClock(app, nowMs)
    try {
      const code = await codeFor('late@example.test')
      await stopClock(app, nowMs + 600_000)
      expect((await verify('late@example.test', code)).error?.code).toBe('invalid_code')
    } finally {
      await startClock(app)
    }
  })

  test('the fifth wrong code spends it, over all processes; a malformed one counts nothing', async () => {
    const email = 'guess@example.test'
    const code = await codeFor(email)
    for (const malformed of ['12345', '1234567', 'abcdef', '１２３４５６']) {
      expect((await verify(email, malformed)).error?.code).toBe('invalid_request')
    }
    for (let i = 0; i < 4; i++)
      expect((await verify(email, otherCode(code), i % 2 ? app : second)).status).toBe(401)
    const alive = await codeFor(email)
    for (let i = 0; i < 5; i++)
      expect((await verify(email, otherCode(alive), i % 2 ? app : second)).status).toBe(401)
    expect((await verify(email, alive)).error?.code).toBe('invalid_code')
  })

  test('a code of one organization does not work in another', async () => {
    const other = await makeTenant(app)
    const email = 'shared@example.test'
    const code = await codeFor(email)
    const { error } = await app.call('POST', '/v1/wallets/auth/email-otp/verify', {
      pk: other.pk,
      json: { email, code },
    })
    expect(error?.code).toBe('invalid_code')
    expect((await verify(email, code)).status).toBe(200)
  })

  test('known and unknown addresses are answered alike', async () => {
    const known = await login(app, tenant)
    const answers = [await start(known.email), await start('nobody-knows@example.test')]
    const shown = answers.map(({ status, text, headers }) => [
      status,
      text,
      [...headers.keys()].sort().join(),
    ])
    expect(shown[0]).toEqual(shown[1])
  })

  test('no email login reaches the wallet of a name that is not an address, such as an agent’s', async () => {
    // Its own organization: every mailbox below is somebody who has never logged in.
    const own = await makeTenant(app)
    const made = await app.call<Wallet>('POST', '/v1/s2s/wallets', {
      sk: own.sk,
      json: { provider_user_id: 'bot-77' },
    })
    for (const step of ['start', 'verify'])
      expect(
        await app.call('POST', `/v1/wallets/auth/email-otp/${step}`, {
          pk: own.pk,
          json: { email: 'bot-77', ...(step === 'verify' && { code: '123456' }) },
        }),
      ).toMatchObject({ status: 400, error: { code: 'invalid_request' } })
    for (const email of ['bot-77@example.test', 'bot-77@bot-77.test', 'owner@example.test']) {
      const user = await login(app, own, email)
      expect([email, user.id]).not.toEqual([email, made.data.user_identity_id])
      expect((await app.call('GET', '/v1/wallets/me', user)).error?.code).toBe('wallet_not_found')
      const signed = await app.call('POST', '/v1/wallets/me/sign', {
        ...user,
        json: { type: 'hash', hash: `0x${'11'.repeat(32)}` },
      })
      expect(signed.error?.code).toBe('wallet_not_found')
    }
  })
})

describe('logout', () => {
  test('ends this token at once, on every process, and no other', async () => {
    const user = await login(app, tenant)
    const other = await login(app, tenant, user.email)
    const { status, text, headers } = await app.call('POST', '/v1/wallets/me/logout', user)
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null])
    for (const process of [app, second]) {
      expect((await process.call('POST', '/v1/wallets/identify', user)).error?.code).toBe('token_revoked')
      expect((await process.call('POST', '/v1/wallets/identify', other)).status).toBe(200)
    }
  })

  test('another spelling of a token that was ended is refused too', async () => {
    const user = await login(app, tenant)
    await app.call('POST', '/v1/wallets/me/logout', user)
    const [header = '', payload = '', signature = ''] = user.token.split('.')
    const twin = signature.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1))
    for (const token of [
      `${header}.${payload}.${twin}`,
      `${user.token}=`,
      `${header}.${payload}=.${signature}`,
      ` ${user.token}`,
    ]) {
      const { status, error } = await app.call('POST', '/v1/wallets/identify', {
        pk: tenant.pk,
        headers: { authorization: `Bearer ${token}` },
      })
      expect([status, error?.code === 'unauthorized' || error?.code === 'token_revoked']).toEqual([401, true])
    }
  })
})

describe('an organization with its own identity provider', () => {
  type Pair = Awaited<ReturnType<typeof generateKeyPair>>
  let issuer: string
  let pair: Pair
  let own: Tenant

  const server = createServer(async (request, response) => {
    const isDiscovery = request.url === '/.well-known/openid-configuration'
    const keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', use: 'sig' }]
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(isDiscovery ? { issuer, jwks_uri: `${issuer}/jwks` } : { keys }))
  })

  beforeAll(async () => {
    pair = await generateKeyPair('ES256', { extractable: true })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    own = await makeTenant(app, { oidc: { issuer, audience: 'app' } })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const mint = (claims: Record<string, unknown> = {}) =>
    new SignJWT({ email: 'carol@example.test', email_verified: true, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuer(issuer)
      .setAudience('app')
      .setSubject('carol')
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(pair.privateKey)
  const identify = (token: string, process = app) =>
    process.call<z.output<typeof Identity>>('POST', '/v1/wallets/identify', { pk: own.pk, token })

  test('takes the tokens of its issuer, and its users have wallets and sign', async () => {
    const token = await mint()
    const { data } = await identify(token)
    expect(data).toMatchObject({
      organization_id: own.id,
      auth_provider: 'oidc',
      provider_user_id: 'carol',
      email: 'carol@example.test',
      signing_mode: 'tee',
    })
    // Any further token of the same subject is the same user.
    expect((await identify(await mint({ nonce: '2' }))).data.user_identity_id).toBe(data.user_identity_id)
    const wallet = await makeWallet(app, { pk: own.pk, token, id: '', email: '' })
    const signed = await app.call('POST', '/v1/wallets/me/sign', {
      pk: own.pk,
      token,
      json: { type: 'message', message: 'hi' },
    })
    expect(signed.data).toMatchObject({ wallet_id: wallet.id, address: wallet.address })
  })

  test('has no email codes, and takes no token of the hosted login', async () => {
    expect((await start('carol@example.test', own)).error?.code).toBe('auth_mode_mismatch')
    const user = await login(app, tenant)
    expect((await identify(user.token)).error?.code).toBe('unauthorized')
    const foreign = await app.call('POST', '/v1/wallets/identify', { pk: tenant.pk, token: await mint() })
    expect(foreign.error?.code).toBe('unauthorized')
  })

  test.each([
    ['with a jti', { jti: 'one' }],
    ['without a jti', {}],
  ])('logout ends a token %s at once', async (_, claims) => {
    const token = await mint({ ...claims, nonce: crypto.randomUUID(), iat: undefined })
    expect((await identify(token)).status).toBe(200)
    expect((await identify(token, second)).status).toBe(200)
    expect((await app.call('POST', '/v1/wallets/me/logout', { pk: own.pk, token })).status).toBe(204)
    expect((await identify(token)).error?.code).toBe('token_revoked')
    expect((await identify(token, second)).error?.code).toBe('token_revoked')
  })

  test('leaving the mode ends its tokens, entering it ends ours', async () => {
    const moving = await makeTenant(app)
    const user = await login(app, moving)
    const call = (token: string) => app.call('POST', '/v1/wallets/identify', { pk: moving.pk, token })
    expect((await call(user.token)).status).toBe(200)
    await app.sql`update organizations set auth_mode = 'oidc', oidc_issuer = ${issuer}, oidc_audience = 'app', auth_changed_at = app_now() where id = ${moving.id}`
    const theirs = await mint({ nonce: 'moving' })
    expect((await call(user.token)).error?.code).toBe('unauthorized')
    expect((await call(theirs)).status).toBe(200)
    await app.sql`update organizations set auth_mode = 'service', auth_changed_at = app_now() where id = ${moving.id}`
    expect((await call(theirs)).error?.code).toBe('unauthorized')
    expect((await call(user.token)).error?.code).toBe('unauthorized')
    const back = await login(app, moving, user.email)
    expect((await call(back.token)).status).toBe(200)
  })
})
