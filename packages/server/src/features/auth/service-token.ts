import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '@symbolon/crypto/node'
import type { Organization } from '../../http/principal.ts'
import { type Failure, failure } from '../../runtime/failure.ts'
import { type LruMap, lruMap } from '../../runtime/lru-map.ts'
import type { Jwt } from './jwt.ts'

/** The lifetime of a login; refresh tokens do not exist (HTTP API, authentication rule 1). */
export const tokenLifetimeMs = 3_600_000

/** A secret that tokens are signed from; `kid` names it in their header. Rotation: add a new one in front. */
export type MasterSecret = { kid: string; secret: KeyObject }

/** The claims of our own tokens. */
export type ServiceClaims = {
  iss: string
  aud: string
  sub: string
  email: string
  auth_provider: 'service'
  jti: string
  iat: number
  exp: number
}

/** The keys that sign the tokens of the hosted login: HS256, one derived secret per organization. */
export type ServiceTokens = {
  readonly baseUrl: string
  /** Signs; all masters verify. */
  readonly current: MasterSecret
  /** By the header, as text, of the tokens they sign: no other algorithm, type or parameter is ever looked at. */
  readonly masterByHeader: ReadonlyMap<string, MasterSecret>
  readonly secrets: LruMap<string, KeyObject>
}

/** The end user that a token is minted for, `nowMs` by the database's clock. */
export type ServiceLogin = {
  organization: Organization
  identityId: string
  email: string
  jti: string
  nowMs: number
}

const secretsMax = 10_000

/** Makes the service tokens of an installation. The first of `masters` signs; throws `RangeError` without one. */
export function serviceTokens({
  baseUrl,
  masters,
}: {
  baseUrl: string
  masters: readonly MasterSecret[]
}): ServiceTokens {
  const current = masters[0]
  if (current === undefined) throw new RangeError('Tokens need at least one master secret.')
  const masterByHeader = new Map(masters.map((master) => [headerOf(master), master]))
  return { baseUrl, current, masterByHeader, secrets: lruMap(secretsMax) }
}

/** Signs a token that is valid for one hour from `nowMs`. */
export function mintServiceToken(tokens: ServiceTokens, login: ServiceLogin): string {
  const { organization, identityId, email, jti, nowMs } = login
  // Rounded up just after a change of the login mode, so that the whole seconds of `iat` do not predate it.
  const iat = Math.max(Math.floor(nowMs / 1000), Math.ceil(organization.authChangedAtMs / 1000))
  const claims: ServiceClaims = {
    iss: tokens.baseUrl,
    aud: organization.id,
    sub: identityId,
    email,
    auth_provider: 'service',
    jti,
    iat,
    exp: iat + tokenLifetimeMs / 1000,
  }
  const signed = `${headerOf(tokens.current)}.${encode(claims)}`
  return `${signed}.${sign(tokens, tokens.current, organization.id, signed).toString('base64url')}`
}

/** The claims of a valid token of the organization; `token_expired` when nothing but its time is wrong. */
export function verifyServiceToken(
  tokens: ServiceTokens,
  jwt: Jwt,
  organization: Organization,
  nowMs: number,
): ServiceClaims | Failure<'unauthorized' | 'token_expired'> {
  const master = tokens.masterByHeader.get(jwt.header)
  if (master === undefined || organization.authMode !== 'service') return failure('unauthorized')
  const expected = sign(tokens, master, organization.id, jwt.signed)
  if (jwt.signature.length !== expected.length || !timingSafeEqual(jwt.signature, expected)) {
    return failure('unauthorized')
  }
  const { claims } = jwt
  if (!isServiceClaims(claims) || claims.iss !== tokens.baseUrl || claims.aud !== organization.id) {
    return failure('unauthorized')
  }
  if (claims.iat * 1000 < organization.authChangedAtMs) return failure('unauthorized')
  if (claims.exp * 1000 <= nowMs) return failure('token_expired')
  return claims
}

function sign(
  { secrets }: ServiceTokens,
  master: MasterSecret,
  organizationId: string,
  signed: string,
): Buffer {
  const name = `${organizationId} ${master.kid}`
  let secret = secrets.get(name)
  if (secret === undefined) {
    secret = createSecretKey(deriveKey(master.secret, `symbolon/v1/user-token/${organizationId}`, 32))
    secrets.set(name, secret)
  }
  return createHmac('sha256', secret).update(signed).digest()
}

const headerOf = ({ kid }: MasterSecret): string => encode({ alg: 'HS256', typ: 'JWT', kid })
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function isServiceClaims(claims: Readonly<Record<string, unknown>>): claims is ServiceClaims {
  const { iss, aud, sub, email, auth_provider, jti, iat, exp } = claims
  const areTexts = [iss, aud, sub, email, jti].every((claim) => typeof claim === 'string' && claim !== '')
  return areTexts && auth_provider === 'service' && Number.isSafeInteger(iat) && Number.isSafeInteger(exp)
}
