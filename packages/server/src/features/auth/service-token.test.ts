import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { deriveKey } from '@symbolon/crypto/node'
import { jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import type { Organization } from '../../http/principal.ts'
import { isFailure } from '../../runtime/failure.ts'
import { type Jwt, readJwt } from './jwt.ts'
import { mintServiceToken, type ServiceClaims, serviceTokens, verifyServiceToken } from './service-token.ts'
import { tokenName } from './token-name.ts'

const master = { kid: 'm1', secret: createSecretKey(randomBytes(32)) }
const baseUrl = 'https://wallets.test'
const tokens = serviceTokens({ baseUrl, masters: [master] })
const organization: Organization = {
  id: '0192f000-0000-7000-8000-000000000001',
  signingMode: 'tee',
  supportedNetworks: ['evm'],
  authMode: 'service',
  oidcIssuer: null,
  oidcAudience: null,
  oidcTrustEmail: false,
  authChangedAtMs: 0,
  allowedOrigins: [],
  userSignsPerMinute: null,
  receipts: false,
}
const nowMs = 1_800_000_000_500
const login = { organization, identityId: 'identity', email: 'a@b.test', jti: 'jti-1', nowMs }
const minted = mintServiceToken(tokens, login)

const read = (text: string): Jwt => {
  const jwt = readJwt(text)
  if (jwt === undefined) throw new Error('not readable')
  return jwt
}
const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const secretOf = ({ secret }: typeof master) =>
  deriveKey(secret, `symbolon/v1/user-token/${organization.id}`, 32)
const forge = (header: object, claims: object) => {
  const signed = `${b64(header)}.${b64(claims)}`
  return `${signed}.${createHmac('sha256', secretOf(master)).update(signed).digest('base64url')}`
}
const claims = verifyServiceToken(tokens, read(minted), organization, nowMs) as ServiceClaims
const ownHeader = { alg: 'HS256', typ: 'JWT', kid: 'm1' }
const unauthorized = expect.objectContaining({ code: 'unauthorized' })
const refused = (text: string, of = organization, atMs = nowMs) => {
  const outcome = verifyServiceToken(tokens, read(text), of, atMs)
  return isFailure(outcome) ? outcome : 'accepted'
}

test('an independent library verifies our tokens', async () => {
  const options = {
    issuer: baseUrl,
    audience: organization.id,
    algorithms: ['HS256'],
    currentDate: new Date(nowMs),
  }
  const { payload, protectedHeader } = await jwtVerify(minted, secretOf(master), options)
  expect(protectedHeader).toEqual(ownHeader)
  expect(payload).toEqual({
    iss: baseUrl,
    aud: organization.id,
    sub: 'identity',
    email: 'a@b.test',
    auth_provider: 'service',
    jti: 'jti-1',
    iat: 1_800_000_000,
    exp: 1_800_003_600,
  })
})

test('a token ends one hour after it began, by the given clock', () => {
  expect(refused(minted, organization, 1_800_003_599_999)).toBe('accepted')
  expect(refused(minted, organization, 1_800_003_600_000)).toMatchObject({ code: 'token_expired' })
})

test('only our own header is accepted', () => {
  expect(refused(forge(ownHeader, claims))).toBe('accepted')
  const headers = [
    { alg: 'none', typ: 'JWT', kid: 'm1' },
    { alg: 'HS512', typ: 'JWT', kid: 'm1' },
    { alg: 'hs256', typ: 'JWT', kid: 'm1' },
    { alg: 'HS256', kid: 'm1' },
    { alg: 'HS256', typ: 'at+jwt', kid: 'm1' },
    { alg: 'HS256', typ: 'JWT', kid: 'm2' },
    { ...ownHeader, crit: ['b64'], b64: false },
  ]
  for (const header of headers) expect(refused(forge(header, claims))).toEqual(unauthorized)
})

test('claims of the wrong type, issuer or audience are refused', () => {
  const wrong: object[] = [
    { iss: 'https://other.test' },
    { aud: [organization.id] },
    { aud: 'other' },
    { sub: 7 },
    { sub: '' },
    { email: null },
    { auth_provider: 'oidc' },
    { jti: undefined },
    { iat: '1800000000' },
    { exp: 1.5 },
    { exp: undefined },
  ]
  for (const change of wrong)
    expect(refused(forge(ownHeader, { ...claims, ...change }))).toEqual(unauthorized)
})

test('any changed character is refused', () => {
  for (let i = 0; i < minted.length; i++) {
    const other = minted[i] === 'A' ? 'B' : 'A'
    const text = minted.slice(0, i) + other + minted.slice(i + 1)
    const jwt = readJwt(text)
    if (jwt !== undefined) expect(refused(text)).toEqual(unauthorized)
  }
})

test('a token is of one organization and one login mode', () => {
  const other = { ...organization, id: '0192f000-0000-7000-8000-000000000002' }
  expect(refused(minted, other)).toEqual(unauthorized)
  expect(refused(minted, { ...organization, authMode: 'oidc' })).toEqual(unauthorized)
})

test('a change of the login mode ends earlier tokens, and none that is issued after it', () => {
  const changed = { ...organization, authChangedAtMs: nowMs + 1 }
  expect(refused(minted, changed)).toEqual(unauthorized)
  expect(
    refused(mintServiceToken(tokens, { ...login, organization: changed, nowMs: nowMs + 2 }), changed),
  ).toBe('accepted')
})

test('a new master signs, the old one still verifies until it is taken away', () => {
  const next = { kid: 'm2', secret: createSecretKey(randomBytes(32)) }
  const rotated = serviceTokens({ baseUrl, masters: [next, master] })
  expect(verifyServiceToken(rotated, read(minted), organization, nowMs)).toMatchObject({ jti: 'jti-1' })
  const fresh = mintServiceToken(rotated, login)
  expect(refused(fresh)).toEqual(unauthorized)
  const only = serviceTokens({ baseUrl, masters: [next] })
  expect(verifyServiceToken(only, read(fresh), organization, nowMs)).toMatchObject({ sub: 'identity' })
  expect(verifyServiceToken(only, read(minted), organization, nowMs)).toEqual(unauthorized)
  expect(() => serviceTokens({ baseUrl, masters: [] })).toThrow(RangeError)
})

test('only canonical text within 8 KiB is read', () => {
  const [header = '', payload = '', signature = ''] = minted.split('.')
  const last = signature.at(-1) ?? ''
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // 32 bytes leave two unused bits in the last character.
  const sibling = alphabet[alphabet.indexOf(last) ^ 1] ?? ''
  const spellings = [
    `${header}.${payload}.${signature.slice(0, -1)}${sibling}`,
    `${minted}=`,
    `${minted}.`,
    `${minted}.${signature}`,
    ` ${minted}`,
    `${minted}\n`,
    `${header}.${payload}`,
    `${header}..${signature}`,
    `.${payload}.${signature}`,
    `${header}.${b64([])}.${signature}`,
    `${header}.${b64(null)}.${signature}`,
    `${header}.${b64({ a: 'x'.repeat(7_000) })}.${signature}`,
    '',
    '..',
  ]
  for (const text of spellings) expect(readJwt(text)).toBeUndefined()
})

test('revocation names a token by jti, else by issuer, subject and iat, else by what is signed', () => {
  const header = b64({ alg: 'ES256' })
  const name = (payload: object, signature = 'AAAA') =>
    tokenName(read(`${header}.${b64(payload)}.${signature}`))
  expect(name({ iss: 'i', jti: 'a', iat: 1 })).toBe(name({ iss: 'i', jti: 'a', iat: 2 }))
  expect(name({ iss: 'i', jti: 'a' })).not.toBe(name({ iss: 'j', jti: 'a' }))
  expect(name({ iss: 'i', sub: 's', iat: 1 })).toBe(name({ iss: 'i', sub: 's', iat: 1, exp: 5 }))
  expect(name({ iss: 'i', sub: 's', iat: 1 })).not.toBe(name({ iss: 'i', sub: 's', iat: 2 }))
  // The second valid form of an ECDSA signature must not escape.
  expect(name({ iss: 'i', sub: 's' }, 'AAAA')).toBe(name({ iss: 'i', sub: 's' }, 'BBBB'))
  expect(name({ iss: 'i', sub: 's' })).toMatch(/^[0-9a-f]{64}$/)
})
