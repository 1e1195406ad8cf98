import { ed25519 } from '@noble/curves/ed25519.js'
import { type Session, unwrap } from '@symbolon/sdk'
import { sdkVersion } from '@symbolon/sdk/testing'
import {
  forgetRates,
  mailedCode,
  makeTenant,
  otherCode,
  startTestApp,
  type TestApp,
} from '@symbolon/testing/app'
import { startOidcIssuer } from '@symbolon/testing/http'
import { verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loggedIn, logInBySdk, sdkClient } from './sdk-fixture.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
afterEach(() => forgetRates(app))

describe('the login', () => {
  test('by an emailed code returns who logged in, and until when', async () => {
    const tenant = await makeTenant(app)
    const sdk = sdkClient(app, tenant)
    const seen: Session[] = []
    sdk.auth.onChange((session) => seen.push(session))
    expect(sdk.auth.session()).toEqual({ status: 'signed_out', reason: null })
    const email = await logInBySdk(app, sdk)
    const session = sdk.auth.session()
    expect(session).toMatchObject({ status: 'signed_in', email })
    expect(seen).toEqual([session])
    const leftMs = (session.status === 'signed_in' ? (session.expiresAt?.getTime() ?? 0) : 0) - Date.now()
    expect(leftMs).toBeGreaterThan(3_500_000)
    expect(unwrap(await sdk.identify())).toMatchObject({ email, signing_mode: 'tee' })
    expect(sdk.auth.session()).toBe(session)
  })

  test('by a wrong code is refused with the code of the API, and nobody is logged in', async () => {
    const tenant = await makeTenant(app)
    const sdk = sdkClient(app, tenant)
    unwrap(await sdk.auth.sendCode('wrong@example.test'))
    const code = otherCode(await mailedCode(app, 'wrong@example.test'))
    const { data, error } = await sdk.auth.verifyCode('wrong@example.test', code)
    expect(data).toBeNull()
    expect(error).toMatchObject({ code: 'invalid_code', status: 401, requestId: expect.any(String) })
    expect(error?.docs_url).toMatch(/^https?:\/\/[^/]+\/docs\/errors\/invalid_code$/)
    expect(sdk.auth.session().status).toBe('signed_out')
  })

  test('ends at once with the logout, here and on the platform', async () => {
    const tenant = await makeTenant(app)
    const kept = new Map<string, string>()
    const sessionStorage = storage(kept)
    const sdk = sdkClient(app, tenant, { storage: 'session' }, { sessionStorage })
    await logInBySdk(app, sdk)
    const [token] = kept.values()
    expect(token).toMatch(/^ey/)
    const ended = sdk.auth.logout()
    expect(sdk.auth.session()).toEqual({ status: 'signed_out', reason: 'logged_out' })
    expect(kept.size).toBe(0)
    expect(await ended).toEqual({ data: null, error: null })
    const again = await app.call('POST', '/v1/wallets/identify', { pk: tenant.pk, token: token ?? '' })
    expect(again.error?.code).toBe('token_revoked')
  })

  test('outlives a reload only with storage "session", and its end elsewhere ends it here', async () => {
    const tenant = await makeTenant(app)
    const kept = new Map<string, string>()
    const ports = { sessionStorage: storage(kept) }
    const email = await logInBySdk(app, sdkClient(app, tenant, { storage: 'session' }, ports))
    expect(sdkClient(app, tenant, {}, ports).auth.session().status).toBe('signed_out')
    const reloaded = sdkClient(app, tenant, { storage: 'session' }, ports)
    expect(reloaded.auth.session()).toMatchObject({ status: 'signed_in', email })
    const [token = ''] = kept.values()
    await app.call('POST', '/v1/wallets/me/logout', { pk: tenant.pk, token })
    expect((await reloaded.wallets.list()).error?.code).toBe('token_revoked')
    expect(reloaded.auth.session()).toEqual({ status: 'signed_out', reason: 'ended' })
    expect(kept.size).toBe(0)
  })

  test("takes a token of the organization's identity provider, and refuses one of another", async () => {
    const [issuer, other] = await Promise.all([startOidcIssuer(), startOidcIssuer()])
    try {
      const tenant = await makeTenant(app, { oidc: { issuer: issuer.issuer, audience: 'app' } })
      const sdk = sdkClient(app, tenant)
      const { data } = await sdk.auth.setToken(await issuer.mint('jane'))
      expect(data).toMatchObject({ auth_provider: 'oidc', provider_user_id: 'jane' })
      expect(sdk.auth.session()).toMatchObject({ userIdentityId: data?.user_identity_id })
      const refused = await sdk.auth.setToken(await other.mint('jane'))
      expect(refused.error?.code).toBe('unauthorized')
      expect(sdk.auth.session().status).toBe('signed_out')
    } finally {
      await Promise.all([issuer.stop(), other.stop()])
    }
  })
})

describe('wallets of a TEE organization', () => {
  test('are made, returned again as the existing one, and sign on both curves', async () => {
    const sdk = await loggedIn(app)
    expect((await sdk.wallets.get()).error?.code).toBe('wallet_not_found')
    const made = unwrap(await sdk.wallets.create())
    const again = await sdk.wallets.create()
    expect(again.error).toMatchObject({ code: 'wallet_exists', status: 409 })
    expect(again.data).toEqual(made)
    expect(unwrap(await sdk.wallets.list())).toEqual([made])

    const signed = unwrap(await sdk.sign.message('hello'))
    const address = made.address as `0x${string}`
    const signature = signed.signature as `0x${string}`
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true)

    const other = unwrap(await sdk.wallets.create({ curve: 'ed25519' }))
    const bytes = new Uint8Array([1, 2, 3])
    const raw = unwrap(await sdk.sign.message(bytes, { curve: 'ed25519', scheme: 'raw' }))
    const unhex = (hex = '') => Buffer.from(hex.slice(2), 'hex')
    expect(ed25519.verify(unhex(raw.signature), bytes, unhex(other.public_key))).toBe(true)
  })

  test('say in words what only the wallet frame can do', async () => {
    const sdk = await loggedIn(app)
    const { error } = await sdk.recovery.run()
    expect(error).toEqual({
      code: 'frame_unreachable',
      message: 'The wallet can be used in a browser only.',
      version: sdkVersion,
    })
  })
})

test('a message that is neither text nor bytes is refused, not signed as nothing', async () => {
  const sdk = await loggedIn(app)
  unwrap(await sdk.wallets.create())
  for (const wrong of [5, { a: 1 }, [1, 2], undefined, null, new ArrayBuffer(2)])
    expect((await sdk.sign.message(wrong as unknown as string)).error).toMatchObject({
      code: 'invalid_request',
      message: '`message` must be a string or a Uint8Array.',
    })
  expect(unwrap(await sdk.sign.message(Buffer.from('hello'))).signature).toMatch(/^0x/)
})

test('every call says "Log in first." while nobody is logged in', async () => {
  const tenant = await makeTenant(app)
  const sdk = sdkClient(app, tenant)
  for (const call of [sdk.wallets.list(), sdk.sign.message('hello')])
    expect((await call).error).toMatchObject({ code: 'unauthorized', message: 'Log in first.' })
})

test('typed data with bigints is signed as their decimal text', async () => {
  const sdk = await loggedIn(app)
  unwrap(await sdk.wallets.create())
  const typedData = {
    domain: { name: 'Shop', chainId: 1n },
    types: { Order: [{ name: 'amount', type: 'uint256' }] },
    primaryType: 'Order',
    message: { amount: 2n ** 200n },
  }
  expect(unwrap(await sdk.sign.typedData(typedData)).signature).toMatch(/^0x[0-9a-f]{130}$/)
})

test('a platform that cannot be reached is an error, never an exception', async () => {
  const sdk = sdkClient({ url: 'http://127.0.0.1:9' }, { pk: `pk_live_${'0'.repeat(49)}` })
  expect(await sdk.chains.list()).toEqual({
    data: null,
    error: {
      code: 'network_failed',
      message:
        'Nothing that the SDK understands answers at http://127.0.0.1:9: check baseUrl, and that the platform runs.',
      details: { hint: expect.stringMatching(/^Nothing answers there that a page may read\. Check baseUrl/) },
      cause: expect.any(TypeError),
      version: sdkVersion,
    },
  })
})

function storage(kept: Map<string, string>) {
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}
