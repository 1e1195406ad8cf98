import { hash } from 'node:crypto'
import { Email } from '@symbolon/api'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import type { Identity, Organization } from '../../http/principal.ts'
import { IssuerError, type IssuerKeys } from '../../ports/issuer-keys.ts'
import { type Failure, failure, isFailure } from '../../runtime/failure.ts'
import { type LruMap, lruMap } from '../../runtime/lru-map.ts'
import { type Jwt, readHeader } from './jwt.ts'
import { acceptLogin, type OidcLoginsCtx, refuseLogin } from './oidc-logins.ts'
import type { OidcUser } from './oidc-user.ts'
import { tokenName } from './token-name.ts'

const skewMs = 30_000
const verifiedMax = 10_000
const expMaxSeconds = 253_402_300_799 // the year 9999, the last that ISO 8601 writes with four digits
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** What tokens of identity providers are verified with; `verified` remembers those that passed, by hash, until they end. */
export type OidcCtx = OidcLoginsCtx & { issuerKeys: IssuerKeys; verified: LruMap<string, VerifiedToken> }

/** An end user with a token that passed, and the times between which it is valid. */
export type VerifiedToken = { identity: Identity; validFromMs: number; expiresAtMs: number }

/** `unavailable`: the issuer's keys cannot be had. */
type OidcFailure = Failure<'unauthorized' | 'token_expired' | 'unavailable'>

/** The issuer and audience that a token must have, and whether the organization vouches for the issuer's addresses. */
type Expected = { id: string; issuer: string; audience: string; isEmailTrusted: boolean }

/** The claims of a token whose signature was verified. */
type ProvenClaims = Omit<VerifiedToken, 'identity'> & { user: OidcUser }

/** Remembers verified tokens, for one process. */
export const verifiedTokens = (): LruMap<string, VerifiedToken> => lruMap(verifiedMax)

/**
 * Verifies a token against its issuer's keys (asymmetric algorithms only; `iss`, `aud`, `exp`, `sub` required, `nbf` honoured, 30 s of
 * skew). The first acceptance of a token is recorded, and each refusal of one that names the issuer. `nowMs` is the database's time.
 */
export async function verifyOidcToken(
  ctx: OidcCtx,
  jwt: Jwt,
  { id, authMode, oidcIssuer: issuer, oidcAudience: audience, oidcTrustEmail: isEmailTrusted }: Organization,
  nowMs: number,
): Promise<VerifiedToken | OidcFailure> {
  if (authMode !== 'oidc' || issuer === null || audience === null) return failure('unauthorized')
  // Before anything is fetched: what cannot be for this organization costs the issuer no request.
  if (jwt.claims['iss'] !== issuer) return failure('unauthorized')
  const outcome = await acceptToken(ctx, jwt, { id, issuer, audience, isEmailTrusted }, nowMs)
  // Nobody refused a token that could not be checked.
  if (isFailure(outcome) && outcome.code !== 'unavailable') await refuseLogin(ctx, id, outcome.code)
  return outcome
}

async function acceptToken(
  ctx: OidcCtx,
  jwt: Jwt,
  expected: Expected,
  nowMs: number,
): Promise<VerifiedToken | OidcFailure> {
  const { id, issuer, audience, isEmailTrusted } = expected
  const name = nameOf([id, issuer, audience, String(isEmailTrusted), jwt.text])
  let found = ctx.verified.get(name)
  if (found === undefined) {
    const claims = await verifyClaims(ctx, jwt, expected, nowMs)
    if (isFailure(claims)) return claims
    const { user, ...times } = claims
    const token = { hash: tokenName(jwt), expiresAt: new Date(times.expiresAtMs).toISOString() }
    found = { identity: await acceptLogin(ctx, id, user, token), ...times }
    ctx.verified.set(name, found)
  }
  if (found.validFromMs > nowMs) return failure('unauthorized')
  if (found.expiresAtMs <= nowMs) {
    ctx.verified.delete(name)
    return failure('token_expired')
  }
  return found
}

/** Verifies with the keys at hand; when none fits, once more with those that the issuer publishes now. */
async function verifyClaims(
  { issuerKeys }: OidcCtx,
  jwt: Jwt,
  expected: Expected,
  nowMs: number,
): Promise<ProvenClaims | OidcFailure> {
  if (!isAlgorithm(jwt)) return failure('unauthorized')
  const { issuer } = expected
  try {
    const payload = await verifyWith(await issuerKeys(issuer), jwt, expected, nowMs).catch(async (error) => {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return verifyWith(await issuerKeys(issuer, { refresh: true }), jwt, expected, nowMs)
    })
    return readClaims(payload, expected) ?? failure('unauthorized')
  } catch (error) {
    return refusal(error)
  }
}

async function verifyWith(
  keys: JSONWebKeySet,
  jwt: Jwt,
  { issuer, audience }: Expected,
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
  return payload
}

function refusal(error: unknown): OidcFailure {
  if (error instanceof errors.JWTExpired) return failure('token_expired')
  if (error instanceof IssuerError) return failure('unavailable', { cause: error })
  // Everything else is the token's fault or the published key's, not ours.
  return failure('unauthorized', { cause: error })
}

function isAlgorithm(jwt: Jwt): boolean {
  const alg = readHeader(jwt)?.['alg']
  return typeof alg === 'string' && algorithms.includes(alg)
}

/** What we keep of claims; undefined when the database cannot hold the subject or the expiry. */
function readClaims(
  { sub, exp, nbf = 0, ...claims }: JWTPayload,
  { issuer, isEmailTrusted }: Expected,
): ProvenClaims | undefined {
  if (typeof exp !== 'number' || exp > expMaxSeconds) return undefined
  // OpenID Connect Core section 2: a subject has at most 255 characters.
  if (typeof sub !== 'string' || sub === '' || sub.length > 255) return undefined
  if (sub.includes('\0') || !sub.isWellFormed()) return undefined
  const email = Email.safeParse(claims['email'])
  // An organization vouches for an issuer that says nothing, never against one that says no.
  const isVerified = 'email_verified' in claims ? claims['email_verified'] === true : isEmailTrusted
  return {
    user: { issuer, subject: sub, email: email.success && isVerified ? email.data : null },
    validFromMs: nbf * 1000 - skewMs,
    expiresAtMs: exp * 1000 + skewMs,
  }
}

const nameOf = (parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url')
