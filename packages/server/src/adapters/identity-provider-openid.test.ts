import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { IdentityProvider, LoginStart } from '../ports/identity-provider.ts'
import { identityProviderOpenid, noIdentityProvider } from './identity-provider-openid.ts'
import { outboundHttp } from './outbound-http.ts'

/** A provider that says whatever a test wants it to say. */
type Says = {
  claims: JWTPayload
  userInfo: Record<string, unknown> | undefined
  key: 'own' | 'foreign' | 'none'
  tokenStatus: number
  isHungUp: boolean
}

const redirectUri = 'https://wallet.example.test/v1/auth/callback'
const outbound = outboundHttp({ isLoopbackAllowed: true })

let server: Server
let issuer: string
let keys: Record<'own' | 'foreign', { privateKey: CryptoKey; publicKey: CryptoKey }>
let says: Says
let provider: IdentityProvider
let start: LoginStart

beforeAll(async () => {
  keys = { own: await generateKeyPair('ES256'), foreign: await generateKeyPair('ES256') }
  const jwks = { keys: [{ ...(await exportJWK(keys.own.publicKey)), kid: 'k', use: 'sig', alg: 'ES256' }] }
  server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path === '/.well-known/openid-configuration') {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/me`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['ES256'],
      })
    }
    if (path === '/jwks') return json(jwks)
    if (says.isHungUp) return response.destroy()
    if (path === '/me') return says.userInfo === undefined ? json({}, 401) : json(says.userInfo)
    if (says.tokenStatus !== 200) return json({ error: 'invalid_grant' }, says.tokenStatus)
    return json({ access_token: 'access-token', token_type: 'Bearer', id_token: await idToken() })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider = identityProviderOpenid(
    { issuer, clientId: 'portal', clientSecret: 'secret' },
    { outbound, isPlainHttpAllowed: true },
  )
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(async () => {
  start = await provider.begin(redirectUri)
  const nowSeconds = Math.floor(Date.now() / 1000)
  says = {
    claims: {
      iss: issuer,
      aud: 'portal',
      sub: 'subject',
      nonce: start.nonce,
      iat: nowSeconds,
      exp: nowSeconds + 300,
      email: 'ada@example.test',
      email_verified: true,
      name: 'Ada',
    },
    userInfo: undefined,
    key: 'own',
    tokenStatus: 200,
    isHungUp: false,
  }
})

async function idToken(): Promise<string> {
  if (says.key === 'none') {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${part({ alg: 'none' })}.${part(says.claims)}.`
  }
  return new SignJWT(says.claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .sign(keys[says.key].privateKey)
}

const finish = () => provider.finish(`${redirectUri}?code=c&state=${start.state}`, start)

test('a login is for the person whom the provider has verified', async () => {
  expect(await finish()).toEqual({ issuer, subject: 'subject', email: 'ada@example.test', name: 'Ada' })
})

test('an address that only the user info endpoint returns, or vouches for, counts as well', async () => {
  const { email: _, email_verified: __, ...silent } = says.claims
  for (const claims of [silent, { ...silent, email: 'ada@example.test' }]) {
    Object.assign(says, {
      claims,
      userInfo: { sub: 'subject', email: 'ada@example.test', email_verified: true },
    })
    expect(await finish()).toMatchObject({ email: 'ada@example.test' })
  }
  says.userInfo = { sub: 'another subject', email: 'eve@example.test', email_verified: true }
  await expect(finish()).rejects.toMatchObject({ code: 'refused' })
})

test.each([
  ['no address', { email: undefined }],
  ['an address that is not verified', { email_verified: false }],
  ['a claim of verification that is not a boolean', { email_verified: 'true' }],
])('%s logs nobody in', async (_, claims) => {
  says.claims = { ...says.claims, ...claims } as JWTPayload
  says.userInfo = { sub: 'subject', ...says.claims }
  await expect(finish()).rejects.toMatchObject({ code: 'no_verified_email' })
})

test.each([
  ['another audience', { aud: 'another client' }],
  ['another issuer', { iss: 'https://elsewhere.example.test' }],
  ['another nonce', { nonce: 'another' }],
  ['no nonce', { nonce: undefined }],
  ['an end that is past', { exp: 1 }],
  ['no subject', { sub: undefined }],
])('a token with %s is refused', async (_, claims) => {
  says.claims = { ...says.claims, ...claims } as JWTPayload
  await expect(finish()).rejects.toMatchObject({ code: 'refused' })
})

test.each(['foreign', 'none'] as const)('a token signed by this key is refused: %s', async (key) => {
  says.key = key
  await expect(finish()).rejects.toMatchObject({ code: 'refused' })
})

test('a callback with another state, an error, or of another issuer is refused', async () => {
  for (const query of ['code=c&state=other', 'code=c', `error=access_denied&state=${start.state}`])
    await expect(provider.finish(`${redirectUri}?${query}`, start)).rejects.toMatchObject({ code: 'refused' })
})

test('a refusal and a timeout of the provider are different errors, and neither repeats its words', async () => {
  says.tokenStatus = 400
  await expect(finish()).rejects.toMatchObject({ code: 'refused' })
  says.isHungUp = true
  const failure = await finish().catch((error: Error) => error)
  expect(failure).toMatchObject({ code: 'unreachable' })
  expect(JSON.stringify(failure) + String((failure as Error).cause)).not.toMatch(/access-token|secret/)
})

test('a provider that cannot be reached can be later', async () => {
  const nowhere = identityProviderOpenid(
    { issuer: 'http://127.0.0.1:1', clientId: 'portal', clientSecret: 'secret' },
    { outbound, isPlainHttpAllowed: true },
  )
  for (const one of [nowhere, noIdentityProvider])
    await expect(one.begin(redirectUri)).rejects.toMatchObject({ code: 'unreachable' })
})
