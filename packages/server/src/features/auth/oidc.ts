import { hash } from 'node:crypto'
import { ApiError, Email } from '@symbolon/api'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import type { Identity, Organization } from '../../http/principal.ts'
import { IssuerError, type IssuerKeys } from '../../ports/issuer-keys.ts'
import { lruMap } from '../../runtime/lru-map.ts'
import { type Jwt, readHeader } from './jwt.ts'
import type { OidcLogins } from './oidc-logins.ts'
import type { OidcUser } from './oidc-user.ts'
import { tokenName } from './token-name.ts'

const skewMs = 30_000
const verifiedMax = 10_000
const expMaxSeconds = 253_402_300_799 // the year 9999, the last that ISO 8601 writes with four digits
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Verifies the tokens of organizations that bring their own identity provider. */
export type Oidc = {
  /** Throws `unauthorized`, `token_expired`, or `unavailable` when the issuer's keys cannot be had. `nowMs`: the database's time. */
  verify(
    jwt: Jwt,
    organization: Organization,
    nowMs: number,
  ): Promise<{ identity: Identity; expiresAtMs: number }>
}

type Verified = { identity: Identity; validFromMs: number; expiresAtMs: number }

/**
 * Verifies OIDC tokens against their issuer's keys (asymmetric algorithms only; `iss`, `aud`, `exp`, `sub` required, `nbf`
 * honoured, 30 s of skew) and remembers the verified ones by hash until they end. Revocation is checked apart.
 * `logins` hears of each token that is accepted for the first time here, and of each of the issuer that is refused.
 */
export function oidc({ issuerKeys, logins }: { issuerKeys: IssuerKeys; logins: OidcLogins }): Oidc {
  const verified = lruMap<string, Verified>(verifiedMax)

  return {
    async verify(jwt, { id, authMode, oidcIssuer: issuer, oidcAudience: audience }, nowMs) {
      if (authMode !== 'oidc' || issuer === null || audience === null) throw new ApiError('unauthorized')
      // Before anything is fetched: what cannot be for this organization costs the issuer no request.
      if (jwt.claims['iss'] !== issuer) throw new ApiError('unauthorized')
      try {
        return await accepted(jwt, { id, issuer, audience }, nowMs)
      } catch (error) {
        // That nobody could tell is no refusal.
        if (error instanceof ApiError && error.status < 500) await logins.refuse(id, error.code)
        throw error
      }
    },
  }

  async function accepted(
    jwt: Jwt,
    { id, issuer, audience }: { id: string; issuer: string; audience: string },
    nowMs: number,
  ): Promise<Verified> {
    const name = nameOf([id, issuer, audience, jwt.text])
    let found = verified.get(name)
    if (found === undefined) {
      const claims = await verifyClaims(jwt, issuer, audience, nowMs)
      const user = userOf(claims, issuer)
      const expiresAtMs = (claims.exp ?? 0) * 1000 + skewMs
      const token = { hash: tokenName(jwt), expiresAt: new Date(expiresAtMs).toISOString() }
      const identity = await logins.accept(id, user, token)
      found = { identity, validFromMs: (claims.nbf ?? 0) * 1000 - skewMs, expiresAtMs }
      verified.set(name, found)
    }
    if (found.validFromMs > nowMs) throw new ApiError('unauthorized')
    if (found.expiresAtMs <= nowMs) {
      verified.delete(name)
      throw new ApiError('token_expired')
    }
    return found
  }

  async function verifyClaims(
    jwt: Jwt,
    issuer: string,
    audience: string,
    nowMs: number,
  ): Promise<JWTPayload> {
    if (!isAlgorithm(jwt)) throw new ApiError('unauthorized')
    try {
      return await verifyWith(await issuerKeys(issuer), jwt, issuer, audience, nowMs)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw refusal(error)
    }
    try {
      return await verifyWith(await issuerKeys(issuer, { refresh: true }), jwt, issuer, audience, nowMs)
    } catch (error) {
      throw refusal(error)
    }
  }
}

async function verifyWith(
  keys: JSONWebKeySet,
  jwt: Jwt,
  issuer: string,
  audience: string,
  nowMs: number,
): Promise<JWTPayload> {
  const options = {
    issuer,
    audience,
    algorithms,
    clockTolerance: skewMs / 1000,
    currentDate: new Date(nowMs),
    requiredClaims: ['iss', 'aud', 'exp', 'sub'],
  }
  const { payload } = await jwtVerify(jwt.text, createLocalJWKSet(keys), options).catch(
    async (error: unknown) => {
      // A token that names no key may be signed by any of those that fit.
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
      for await (const key of error) {
        try {
          return await jwtVerify(jwt.text, key, options)
        } catch (other) {
          if (!(other instanceof errors.JWSSignatureVerificationFailed)) throw other
        }
      }
      throw new errors.JWSSignatureVerificationFailed()
    },
  )
  if (typeof payload.exp !== 'number' || payload.exp > expMaxSeconds) throw new ApiError('unauthorized')
  return payload
}

function refusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof errors.JWTExpired) return new ApiError('token_expired')
  if (error instanceof IssuerError) return new ApiError('unavailable', { cause: error })
  // Everything else is the token's fault or the published key's: neither is ours to answer for.
  return new ApiError('unauthorized', { cause: error })
}

function isAlgorithm(jwt: Jwt): boolean {
  const alg = readHeader(jwt)?.['alg']
  return typeof alg === 'string' && algorithms.includes(alg)
}

function userOf(claims: JWTPayload, issuer: string): OidcUser {
  const { sub } = claims
  // OpenID Connect Core section 2: a subject has at most 255 characters. What a database text cannot hold is refused.
  if (
    typeof sub !== 'string' ||
    sub === '' ||
    sub.length > 255 ||
    sub.includes('\0') ||
    !sub.isWellFormed()
  ) {
    throw new ApiError('unauthorized')
  }
  const email = Email.safeParse(claims['email'])
  const isVerified = claims['email_verified'] !== false && claims['email_verified'] !== 'false'
  return { issuer, subject: sub, email: email.success && isVerified ? email.data : null }
}

const nameOf = (parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url')
