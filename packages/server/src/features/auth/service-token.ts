import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@symbolon/api'
import { deriveKey } from '@symbolon/crypto/node'
import type { Organization } from '../../http/principal.ts'
import { lruMap } from '../../runtime/lru-map.ts'
import type { Jwt } from './jwt.ts'

/** How long a login lasts; there is no refresh token (HTTP API, authentication rule 1). */
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

/** The tokens of the hosted login: HS256, one derived secret per organization. */
export type ServiceTokens = {
  /** Signs a token that is valid for one hour from `nowMs`, the database's time. */
  mint(login: {
    organization: Organization
    identityId: string
    email: string
    jti: string
    nowMs: number
  }): string
  /** Throws `unauthorized`, or `token_expired` when nothing but its time is wrong. */
  verify(jwt: Jwt, organization: Organization, nowMs: number): ServiceClaims
}

const secretsMax = 10_000

/**
 * Mints and verifies service tokens. `masters` is never empty and its first one signs; all verify. Headers are compared as
 * text with those that we write, so no other algorithm, type or parameter is ever looked at.
 */
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
  const secrets = lruMap<string, KeyObject>(secretsMax)

  function sign(master: MasterSecret, organizationId: string, signed: string): Buffer {
    const name = `${organizationId} ${master.kid}`
    let secret = secrets.get(name)
    if (secret === undefined) {
      secret = createSecretKey(deriveKey(master.secret, `symbolon/v1/user-token/${organizationId}`, 32))
      secrets.set(name, secret)
    }
    return createHmac('sha256', secret).update(signed).digest()
  }

  return {
    mint({ organization, identityId, email, jti, nowMs }) {
      // Rounded up just after a change of the login mode, so that the whole seconds of `iat` do not predate it.
      const iat = Math.max(Math.floor(nowMs / 1000), Math.ceil(organization.authChangedAtMs / 1000))
      const claims: ServiceClaims = {
        iss: baseUrl,
        aud: organization.id,
        sub: identityId,
        email,
        auth_provider: 'service',
        jti,
        iat,
        exp: iat + tokenLifetimeMs / 1000,
      }
      const signed = `${headerOf(current)}.${encode(claims)}`
      return `${signed}.${sign(current, organization.id, signed).toString('base64url')}`
    },

    verify(jwt, organization, nowMs) {
      const master = masterByHeader.get(jwt.header)
      if (master === undefined || organization.authMode !== 'service') throw new ApiError('unauthorized')
      const expected = sign(master, organization.id, jwt.signed)
      if (jwt.signature.length !== expected.length || !timingSafeEqual(jwt.signature, expected)) {
        throw new ApiError('unauthorized')
      }
      const { claims } = jwt
      if (!isServiceClaims(claims) || claims.iss !== baseUrl || claims.aud !== organization.id) {
        throw new ApiError('unauthorized')
      }
      if (claims.iat * 1000 < organization.authChangedAtMs) throw new ApiError('unauthorized')
      if (claims.exp * 1000 <= nowMs) throw new ApiError('token_expired')
      return claims
    },
  }
}

const headerOf = ({ kid }: MasterSecret): string => encode({ alg: 'HS256', typ: 'JWT', kid })
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function isServiceClaims(claims: Readonly<Record<string, unknown>>): claims is ServiceClaims {
  const { iss, aud, sub, email, auth_provider, jti, iat, exp } = claims
  const areTexts = [iss, aud, sub, email, jti].every((claim) => typeof claim === 'string' && claim !== '')
  return areTexts && auth_provider === 'service' && Number.isSafeInteger(iat) && Number.isSafeInteger(exp)
}
