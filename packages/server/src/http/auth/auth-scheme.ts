import { ApiError, type Limit, type LimitName, type Route } from '@symbolon/api'
import type { Failure } from '../../runtime/failure.ts'
import type { Limiter, RateGrant } from '../limiter.ts'
import type { OriginRules } from '../origin.ts'
import type { ApiKey, DelegatePrincipal, Identity, Organization, UserToken } from '../principal.ts'
import type { CredentialLookups } from './credential-lookups.ts'

/** The parts of a request that auth schemes read. */
export type Credentials = {
  authorization: string | undefined
  publishableKey: string | undefined
  origin: string | undefined
  address: string
  /** The token in the portal's session cookie. */
  sessionToken: string | undefined
  /** The organization in the path. */
  organizationId: string | undefined
  /** The agent in the path. */
  agentId: string | undefined
}

/** A request to authenticate. */
export type AuthRequest = {
  route: Route
  credentials: Credentials
  /** The units of its rate limit that the request costs. */
  weight: number
  /** Called with a browser's origin once its page may read the answer, even an error. */
  onOrigin: (origin: string) => void
}

/**
 * The principal behind a request. `grant` is the answer of the rate limit that the request counts against, its `bucket`. With `isEnded`, the
 * credential has ended: the request may only be refused, and gets no answer stored under its idempotency key. `credentialId`
 * identifies the credential itself, to which idempotency keys belong.
 */
export type Authenticated = {
  principal: object
  credentialId: string
  grant?: RateGrant
  bucket?: Bucket
  isEnded?: true
}

/**
 * A rate limit of one key: what more of the request's cost is counted against once its body is there. `limit` is the organization's own
 * figure.
 */
export type Bucket = { name: LimitName; key: string; limit?: Limit }

/** Verifies end-user tokens; implemented by the auth feature. */
export type UserTokens = {
  /** The hash that revocations name the token by, read without verifying the token. */
  read(bearer: string): { tokenHash: string } | undefined
  /** Leaves revocation to the auth scheme. `unavailable`: the keys of the token's issuer cannot be had. */
  verify(input: {
    organization: Organization
    bearer: string
    nowMs: number
  }): Promise<
    { identity: Identity; token: UserToken } | Failure<'unauthorized' | 'token_expired' | 'unavailable'>
  >
}

/** Verifies the delegation tokens that agents give each other (`ac_live_`); implemented by the agents feature. */
export type Delegates = {
  /** Consumes the token, which works once, for the agent that is called. Throws the lane's errors. */
  verify(token: string, agentId: string): Promise<{ organization: Organization; delegate: DelegatePrincipal }>
}

/** The ports of every auth scheme. */
export type AuthCtx = {
  find: CredentialLookups
  limiter: Limiter
  userTokens: UserTokens
  delegates: Delegates
  originRules: OriginRules
  /** Records a call that the secret key's scope forbids, within the key's rate limit. */
  onUnscoped: (route: Route, principal: { organization: Organization; key: ApiKey }) => Promise<void>
}

/** Checks the credentials of a lane: returns the principal, or throws one of the lane's errors. */
export type AuthScheme = (ctx: AuthCtx, request: AuthRequest) => Promise<Authenticated>

const authorizationLengthMax = 8_200

/** The bearer token of a request; undefined without one, or when the header is too long. */
export function readBearer({ authorization }: Credentials): string | undefined {
  if (authorization === undefined || authorization.length > authorizationLengthMax) return undefined
  return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7) : undefined
}

/** What a bearer token is, by how it begins. */
const bearerKinds: Readonly<Record<string, string>> = {
  pk_live_: 'a publishable key',
  sk_live_: 'a secret key',
  as_live_: 'the token of an agent session',
  ac_live_: 'a delegation by an agent',
}

/** What the bearer token of a request is, in words; undefined without one, or of another kind. */
export const bearerKind = (credentials: Credentials): string | undefined =>
  bearerKinds[readBearer(credentials)?.slice(0, 8) ?? '']

/** The bearer token of a request; throws `unauthorized` without one that begins with one of the prefixes. */
export function requireBearer(credentials: Credentials, ...prefixes: readonly string[]): string {
  const bearer = readBearer(credentials)
  if (bearer !== undefined && prefixes.some((prefix) => bearer.startsWith(prefix))) return bearer
  const kind = bearerKind(credentials)
  throw needsHeader(
    prefixes.map((prefix) => `\`Authorization: Bearer ${prefix}…\``).join(' or '),
    kind === undefined ? '' : `This is ${kind}. `,
  )
}

/** `unauthorized` for a request without the header that its route needs; `instead` is a sentence on what it has. */
export const needsHeader = (header: string, instead = ''): ApiError =>
  new ApiError('unauthorized', { message: `${instead}This call needs the header ${header}.` })

/** A credential as people call it, and where one comes from. */
export type CredentialKind = { readonly name: string; readonly where: string }

/** Where API keys come from. */
export const whereKeys = 'Create one in the portal, under API keys, or in development take it from dev.json.'

/** `unauthorized` for a credential whose checksum is wrong: it was never issued. */
export const mistyped = ({ name, where }: CredentialKind): ApiError =>
  new ApiError('unauthorized', { message: `This ${name} is incomplete or mistyped. ${where}` })

/** `unauthorized` for a well-formed credential that does not exist, or not any more. */
export const unknown = ({ name, where }: CredentialKind): ApiError =>
  new ApiError('unauthorized', { message: `This ${name} is unknown or was revoked. ${where}` })
