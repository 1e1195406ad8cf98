import { createSecretKey } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  seedOrganization,
  type TestDatabase,
  testDatabase,
  testIds,
  testLog,
} from '@symbolon/testing/database'
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { oidcIssuer } from '../../adapters/oidc-issuer.ts'
import { outboundHttp } from '../../adapters/outbound-http.ts'
import type { UserTokens } from '../../http/auth/auth-scheme.ts'
import { databaseLimiter } from '../../http/limiter.ts'
import type { Organization } from '../../http/principal.ts'
import { isFailure, orThrow } from '../../runtime/failure.ts'
import { auditWriter } from '../audit/audit-writer.ts'
import { verifiedTokens } from './oidc.ts'
import { serviceTokens } from './service-token.ts'
import { userTokens } from './user-tokens.ts'

type Pair = Awaited<ReturnType<typeof generateKeyPair>>

let database: TestDatabase
let organization: Organization
let issuer: string
let documents: { discovery?: object; keys: unknown; delayMs: number; status: number }
let requests: string[]
let pair: Pair
let nowMs: number
let tokens: UserTokens
let accepted: number

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  requests.push(request.url ?? '')
  const isDiscovery = request.url === '/.well-known/openid-configuration'
  const body = isDiscovery ? (documents.discovery ?? { issuer, jwks_uri: `${issuer}/jwks` }) : documents.keys
  setTimeout(() => {
    response.writeHead(documents.status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }, documents.delayMs)
})

const jwkOf = async ({ publicKey }: Pair, kid: string): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  kid,
  use: 'sig',
})

beforeAll(async () => {
  database = await testDatabase()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  pair = await generateKeyPair('ES256', { extractable: true })
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await database.drop()
})

beforeEach(async () => {
  nowMs = Date.now()
  requests = []
  accepted = 0
  documents = { keys: { keys: [await jwkOf(pair, 'k1')] }, delayMs: 0, status: 200 }
  organization = await seedOrganization(database.sql, {
    authMode: 'oidc',
    oidcIssuer: issuer,
    oidcAudience: 'app',
  })
  tokens = make()
})

function make(): UserTokens {
  const outbound = outboundHttp({ isLoopbackAllowed: true })
  const { sql } = database
  const audit = auditWriter({ sql, ids: testIds, log: testLog() })
  const ids = {
    next() {
      accepted++
      return testIds.next()
    },
  }
  return userTokens({
    service: serviceTokens({
      baseUrl: issuer,
      masters: [{ kid: 'k1', secret: createSecretKey(Buffer.alloc(32, 1)) }],
    }),
    oidc: {
      sql,
      ids,
      audit,
      limiter: databaseLimiter(sql),
      issuerKeys: oidcIssuer({ outbound, clock: { nowMs: () => nowMs } }),
      verified: verifiedTokens(),
    },
  })
}

type Change = {
  header?: object
  claims?: Record<string, unknown>
  key?: Pair['privateKey'] | Uint8Array
  alg?: string
}

async function token({
  header = {},
  claims = {},
  key = pair.privateKey,
  alg = 'ES256',
}: Change = {}): Promise<string> {
  const now = Math.floor(nowMs / 1000)
  const all = {
    iss: issuer,
    aud: 'app',
    sub: 'user-1',
    iat: now,
    exp: now + 600,
    email: ' A@Example.TEST ',
    email_verified: true,
    ...claims,
  }
  return new SignJWT(JSON.parse(JSON.stringify(all)))
    .setProtectedHeader({ alg, kid: 'k1', ...header })
    .sign(key)
}

const outcomeOf = (bearer: string, of = organization, atMs = nowMs) =>
  tokens.verify({ organization: of, bearer, nowMs: atMs })
const verify = async (...of: Parameters<typeof outcomeOf>) => orThrow(await outcomeOf(...of))
const codeOf = async (...of: Parameters<typeof outcomeOf>): Promise<string> => {
  const outcome = await outcomeOf(...of)
  return isFailure(outcome) ? outcome.code : 'accepted'
}

test('a token of the issuer gives an identity that is the same on every process, and is asked of the issuer once', async () => {
  const first = await verify(await token())
  expect(first.identity).toMatchObject({
    authProvider: 'oidc',
    providerUserId: 'user-1',
    email: 'a@example.test',
  })
  const text = await token({ claims: { jti: 'second' } })
  await Promise.all(Array.from({ length: 8 }, () => verify(text)))
  expect(requests).toEqual(['/.well-known/openid-configuration', '/jwks'])
  const before = accepted
  await verify(text)
  expect(accepted).toBe(before)
  tokens = make()
  expect((await verify(text)).identity.id).toBe(first.identity.id)
})

test('RS, PS, ES and EdDSA keys are accepted, with and without a key id', async () => {
  for (const alg of ['RS256', 'PS384', 'ES384', 'EdDSA']) {
    const other = await generateKeyPair(alg, { extractable: true })
    documents.keys = { keys: [await jwkOf(pair, 'k0'), await jwkOf(other, 'k1')] }
    tokens = make()
    expect(await codeOf(await token({ key: other.privateKey, alg }))).toBe('accepted')
    const unnamed = await token({ key: other.privateKey, alg, header: { kid: undefined } })
    expect(await codeOf(unnamed)).toBe('accepted')
  }
  const twin = await generateKeyPair('ES256', { extractable: true })
  documents.keys = { keys: [await jwkOf(twin, 'a'), await jwkOf(pair, 'b')] }
  tokens = make()
  expect(await codeOf(await token({ header: { kid: undefined } }))).toBe('accepted')
})

test('no token without an asymmetric signature of the issuer is accepted', async () => {
  const stranger = await generateKeyPair('ES256')
  const published = await exportJWK(pair.publicKey)
  const asSecret = new TextEncoder().encode(await exportSPKI(pair.publicKey))
  const [, payload] = (await token()).split('.')
  const none = `${Buffer.from('{"alg":"none","kid":"k1"}').toString('base64url')}.${payload}.`
  // What cannot be right is refused before the issuer is asked.
  expect(await codeOf(await token({ key: asSecret, alg: 'HS256' }))).toBe('unauthorized')
  expect(await codeOf(none)).toBe('unauthorized')
  expect(requests).toEqual([])
  // The issuer is careless and publishes a symmetric key too.
  documents.keys = {
    keys: [published, { kty: 'oct', kid: 'k2', k: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  }
  tokens = make()
  expect(await codeOf(await token({ key: stranger.privateKey }))).toBe('unauthorized')
  expect(await codeOf(await token({ key: asSecret, alg: 'HS256' }))).toBe('unauthorized')
  expect(await codeOf(await token({ key: new Uint8Array(32), alg: 'HS256', header: { kid: 'k2' } }))).toBe(
    'unauthorized',
  )
  expect(await codeOf(none)).toBe('unauthorized')
})

test('claims that are missing, foreign or out of time are refused', async () => {
  const now = Math.floor(nowMs / 1000)
  const table: [Record<string, unknown>, string][] = [
    [{ iss: 'https://other.test' }, 'unauthorized'],
    [{ aud: 'other' }, 'unauthorized'],
    [{ aud: ['other', 'app'] }, 'accepted'],
    [{ aud: undefined }, 'unauthorized'],
    [{ sub: undefined }, 'unauthorized'],
    [{ sub: '' }, 'unauthorized'],
    [{ sub: 7 }, 'unauthorized'],
    [{ sub: 'a\0b' }, 'unauthorized'],
    [{ kind: 'error', code: 'not_found' }, 'accepted'],
    [{ sub: 'x'.repeat(256) }, 'unauthorized'],
    [{ exp: undefined }, 'unauthorized'],
    [{ exp: 1e15 }, 'unauthorized'],
    [{ exp: now - 29 }, 'accepted'],
    [{ exp: now - 31 }, 'token_expired'],
    [{ nbf: now + 29 }, 'accepted'],
    [{ nbf: now + 60 }, 'unauthorized'],
  ]
  for (const [claims, code] of table)
    expect([claims, await codeOf(await token({ claims }))]).toEqual([claims, code])
})

test('a remembered token still ends, and ends with the configuration it was verified for', async () => {
  const text = await token()
  const { token: known } = await verify(text)
  expect(Date.parse(known.expiresAt)).toBe((Math.floor(nowMs / 1000) + 630) * 1000)
  expect(await codeOf(text, { ...organization, oidcAudience: 'other' })).toBe('unauthorized')
  expect(await codeOf(text, { ...organization, oidcIssuer: 'https://other.test' })).toBe('unauthorized')
  expect(await codeOf(text, { ...organization, authMode: 'service' })).toBe('unauthorized')
  expect(await codeOf(text, organization, nowMs + 631_000)).toBe('token_expired')
})

test('an email counts only when the token says that it is verified, and a later one reaches the identity', async () => {
  const emailOf = async (claims: Record<string, unknown>) =>
    (await verify(await token({ claims: { sub: 'mail', ...claims } }))).identity.email
  expect(await emailOf({ email: undefined })).toBeNull()
  for (const verified of [undefined, false, 'true', 1])
    expect(await emailOf({ email_verified: verified, jti: `said ${verified}` })).toBeNull()
  expect(await emailOf({ email: 'no address', email_verified: true })).toBeNull()
  expect(await emailOf({ email_verified: true })).toBe('a@example.test')
  await emailOf({ email: undefined, jti: 'again' })
  const rows = await database.sql`select email from identities where provider_user_id = 'mail'`
  expect(rows).toEqual([{ email: 'a@example.test' }])
})

test('an organization vouches for an issuer that says nothing, never against one that says no', async () => {
  const trusting = { ...organization, oidcTrustEmail: true }
  const emailOf = async (claims: Record<string, unknown>) =>
    (await verify(await token({ claims: { sub: 'vouched', ...claims } }), trusting)).identity.email
  expect(await emailOf({ email_verified: undefined })).toBe('a@example.test')
  for (const verified of [false, 'true', null])
    expect(await emailOf({ email_verified: verified, jti: `said ${verified}` })).toBeNull()
})

test('two organizations with one issuer and audience know the user apart', async () => {
  const other = await seedOrganization(database.sql, {
    authMode: 'oidc',
    oidcIssuer: issuer,
    oidcAudience: 'app',
  })
  const text = await token()
  const [mine, theirs] = [await verify(text), await verify(text, other)]
  expect(mine.identity.id).not.toBe(theirs.identity.id)
})

test('64 first calls of one user make one identity', async () => {
  const bearers = await Promise.all(
    Array.from({ length: 64 }, (_, i) => token({ claims: { sub: 'many', jti: `j${i}` } })),
  )
  const found = await Promise.all(bearers.map((bearer) => verify(bearer)))
  expect(new Set(found.map(({ identity }) => identity.id)).size).toBe(1)
})

test('a rotated key is found at once, and unknown keys ask the issuer at most once in 30 s', async () => {
  await verify(await token())
  const next = await generateKeyPair('ES256', { extractable: true })
  documents.keys = { keys: [await jwkOf(next, 'k2')] }
  nowMs += 31_000
  requests = []
  expect(await codeOf(await token({ key: next.privateKey, header: { kid: 'k2' } }))).toBe('accepted')
  for (let i = 0; i < 5; i++) {
    const unknown = await token({ header: { kid: `forged-${i}` } })
    expect(await codeOf(unknown)).toBe('unauthorized')
  }
  expect(requests).toHaveLength(2)
  expect(await codeOf(await token({ claims: { jti: 'old key' } }))).toBe('unauthorized')
})

test('an issuer that is down is served from memory for an hour, then refused as unavailable, and found when it is back', async () => {
  await verify(await token())
  documents.status = 500
  nowMs += 30 * 60_000
  expect(await codeOf(await token())).toBe('accepted')
  nowMs += 31 * 60_000
  expect(await codeOf(await token())).toBe('unavailable')
  documents.status = 200
  nowMs += 3_000
  expect(await codeOf(await token())).toBe('accepted')
})

test('an issuer with unfit documents is unavailable, whatever they are', async () => {
  const key = await jwkOf(pair, 'k1')
  const unfit: [string, Partial<typeof documents>][] = [
    ['101 keys', { keys: { keys: Array.from({ length: 101 }, () => key) } }],
    ['more than 64 KiB', { keys: { keys: [key], padding: 'x'.repeat(70_000) } }],
    ['no keys', { keys: [] }],
    ['another issuer', { discovery: { issuer: 'https://other.test', jwks_uri: `${issuer}/jwks` } }],
    ['keys on a private address', { discovery: { issuer, jwks_uri: 'https://10.0.0.1/jwks' } }],
    ['keys on a plain address', { discovery: { issuer, jwks_uri: 'http://example.com/jwks' } }],
    ['a redirect', { status: 302 }],
  ]
  for (const [name, change] of unfit) {
    const fit = documents
    documents = { ...documents, ...change }
    tokens = make()
    expect([name, await codeOf(await token())]).toEqual([name, 'unavailable'])
    documents = fit
  }
})

test('a key the library cannot use makes the token wrong, not the server', async () => {
  const kinds = [
    { kty: 'EC', kid: 'k1', crv: 'P-256', x: 'AA', y: 'AA' },
    { kty: 'RSA', kid: 'k1', n: 'AQAB', e: 'AQAB' },
    { kty: 'EC', kid: 'k1' },
  ]
  for (const broken of kinds) {
    documents.keys = { keys: [broken, 7, null] }
    tokens = make()
    expect(await codeOf(await token())).toBe('unauthorized')
  }
})

test('an issuer that hangs delays only those who find it out', async () => {
  await verify(await token())
  documents.delayMs = 20_000
  nowMs += 11 * 60_000
  expect(await codeOf(await token())).toBe('accepted')
  nowMs += 31_000
  const from = performance.now()
  expect(await codeOf(await token({ claims: { jti: 'next' } }))).toBe('accepted')
  expect(performance.now() - from).toBeLessThan(3_500)
})

test('a slow issuer is given up in time', async () => {
  documents.delayMs = 20_000
  const from = performance.now()
  expect(await codeOf(await token())).toBe('unavailable')
  expect(performance.now() - from).toBeLessThan(10_000)
})
