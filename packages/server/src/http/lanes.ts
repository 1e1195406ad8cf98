import { ApiError, portalRoles, type Route } from '@symbolon/api'
import { parseToken } from '@symbolon/crypto'
import { agentTokenKey } from '@symbolon/crypto/node'
import { coalesce } from '../db/coalesce.ts'
import type { Queryable } from '../db/pool.ts'
import { agentTokens } from './agent-tokens.ts'
import { credentialsStore, type PublishableLookup, type PublishableRecord } from './credentials.store.ts'
import { isAddressAllowed } from './ip-allowlist.ts'
import type { Limiter, RateGrant } from './limiter.ts'
import { isOriginAllowed, type OriginRules } from './origin.ts'
import { findPortalSession } from './portal-sessions.ts'
import type { ApiKey, DelegatePrincipal, Identity, Organization, UserToken } from './principal.ts'
import { secretKeys } from './secret-keys.ts'

/** What the lanes read of a request. */
export type Credentials = {
  authorization: string | undefined
  publishableKey: string | undefined
  origin: string | undefined
  address: string
  /** The portal session's token, and the organization that the path names. */
  sessionToken: string | undefined
  organizationId: string | undefined
  /** The agent that the path names. */
  agentId: string | undefined
}

/**
 * Who was found behind the credentials; `grant` is the rate the call went against, if its route has one. `isEnded`: the credential is
 * good for hearing so and for nothing else, not even for what it was answered before. `credentialId` is the credential's own: what
 * idempotency keys count for.
 */
export type Admitted = { principal: object; grant?: RateGrant; credentialId: string; isEnded?: true }

/** Verification of end-user tokens, by the auth feature. */
export type UserTokens = {
  /** Reads what revocation knows the token by, without trusting it. */
  read(bearer: string): { tokenHash: string } | undefined
  verify(input: {
    organization: Organization
    bearer: string
    nowMs: number
  }): Promise<{ identity: Identity; token: UserToken }>
}

/** Verification of what one agent gives another (`ac_live_`). */
export type Delegates = {
  /** Whom the token names, once; throws what the lane answers. `agentId` is the agent that is called. */
  verify(token: string, agentId: string): Promise<{ organization: Organization; delegate: DelegatePrincipal }>
}

/** The doors of the service, one per kind of credential. */
export type Lanes = {
  /** Throws the lane's errors. `onOrigin` is told a browser's origin once it may read the answer, be it a failure. */
  admit(route: Route, credentials: Credentials, onOrigin: (origin: string) => void): Promise<Admitted>
  isOriginListed(origin: string): Promise<boolean>
}

/**
 * The credentials of every lane. Nothing is remembered between requests: each asks the database, together with those that
 * ask at the same moment, so a revoked key or token is refused by every process from then on.
 */
export function credentialLanes(options: {
  sql: Queryable
  limiter: Limiter
  userTokens: UserTokens
  delegates: Delegates
  hashToken: (token: string) => Uint8Array
  originRules: OriginRules
  /** Hears of each call that a key's scope forbids, as far as the key's rate goes. */
  onUnscoped: (route: Route, principal: { organization: Organization; key: ApiKey }) => Promise<void>
}): Lanes {
  const { sql, limiter, userTokens, delegates, originRules } = options

  const findPublishable = coalesce<PublishableLookup, PublishableRecord | undefined>({
    run: (lookups) => credentialsStore.publishable(sql, lookups),
    batchMax: 1_000,
    inFlightMax: 2,
  })

  const findSecret = secretKeys(sql)
  const findAgent = agentTokens(sql)

  const hashHex = (token: string) => Buffer.from(options.hashToken(token)).toString('hex')

  type OnOrigin = (origin: string) => void

  async function publishable(credentials: Credentials, onOrigin: OnOrigin, tokenHash?: string) {
    const { publishableKey, origin } = credentials
    if (publishableKey === undefined || parseToken(publishableKey)?.prefix !== 'pk_live_')
      throw new ApiError('unauthorized')
    const record = await findPublishable({
      keyHash: hashHex(publishableKey),
      ...(tokenHash !== undefined && { tokenHash }),
    })
    if (record === undefined) throw new ApiError('unauthorized')
    if (!isOriginAllowed(origin, record.organization.allowedOrigins, originRules))
      throw new ApiError('origin_not_allowed')
    if (origin !== undefined) onOrigin(origin)
    return record
  }

  async function wallet(route: Route, credentials: Credentials, onOrigin: OnOrigin): Promise<Admitted> {
    const bearer = readBearer(credentials)
    const tokenHash = bearer === undefined ? undefined : userTokens.read(bearer)?.tokenHash
    const found = await publishable(credentials, onOrigin, tokenHash)
    // Only now: what a page may not read is a failure of the network to it, and no login that has ended.
    if (bearer === undefined || tokenHash === undefined) throw new ApiError('unauthorized')
    const { key, organization, nowMs, isTokenRevoked } = found
    const { identity, token } = await userTokens.verify({ organization, bearer, nowMs })
    if (isTokenRevoked) throw new ApiError('token_revoked')
    // The token, not its user: what one login was answered is no answer to another. With the user, because two organizations
    // may take the same token.
    const credentialId = `${identity.id} ${token.hash}`
    const admitted = { principal: { organization, key, identity, token }, credentialId }
    const { limit } = route
    if (limit !== 'user-sign' && limit !== 'provider-share' && limit !== 'share-refresh') return admitted
    return { ...admitted, grant: await limiter.acquire(limit, identity.id) }
  }

  async function secret(route: Route, credentials: Credentials): Promise<Admitted> {
    const token = bearerOf(credentials)
    if (parseToken(token)?.prefix !== 'sk_live_') throw new ApiError('unauthorized')
    const found = await findSecret(hashHex(token))
    if (found === undefined) throw new ApiError('unauthorized')
    const { key, organization } = found.record
    if (!isAddressAllowed(credentials.address, key.ipAllowlist)) throw new ApiError('ip_not_allowed')
    if (route.scope === 'full' && key.scope !== 'full') {
      if (found.grant.granted) await options.onUnscoped(route, { organization, key })
      throw new ApiError('insufficient_scope')
    }
    return { principal: { organization, key }, credentialId: key.id, grant: found.grant }
  }

  async function portal(route: Route, credentials: Credentials): Promise<Admitted> {
    const { sessionToken, organizationId, origin } = credentials
    if (sessionToken === undefined) throw new ApiError('unauthorized')
    // The cookie goes with every request to the platform, whoever made the page: only its own pages may change anything.
    if (route.method !== 'GET' && origin !== originRules.ownOrigin) throw new ApiError('origin_not_allowed')
    const principal = await findPortalSession(sql, options.hashToken(sessionToken), organizationId)
    if (principal === undefined) throw new ApiError('unauthorized')
    if (route.role !== undefined) {
      if (principal.role === undefined) throw new ApiError('not_found')
      if (portalRoles.indexOf(principal.role) < portalRoles.indexOf(route.role))
        throw new ApiError('forbidden')
    }
    const admitted = { principal, credentialId: principal.session.id }
    if (route.limit !== 'invitation') return admitted
    return { ...admitted, grant: await limiter.acquire(route.limit, principal.user.id) }
  }

  async function portalOrSecret(route: Route, credentials: Credentials): Promise<Admitted> {
    if (credentials.authorization === undefined) return portal(route, credentials)
    const admitted = await secret(route, credentials)
    const { organization } = admitted.principal as { organization: Organization }
    if (admitted.grant?.granted !== false && organization.id !== credentials.organizationId)
      throw new ApiError('not_found')
    return admitted
  }

  /** Ended sessions pass where they are told of their attempt, and only there. */
  async function agent(route: Route, token: string): Promise<Admitted> {
    if (parseToken(token)?.prefix !== 'as_live_') throw new ApiError('unauthorized')
    const found = await findAgent(hashHex(token))
    if (found === undefined) throw new ApiError('unauthorized')
    const { session, organization, grant } = found
    if (route.isSigningRequest !== true && grant.granted) {
      if (session.state === 'revoked') throw new ApiError('token_revoked')
      if (session.state === 'expired') throw new ApiError('token_expired')
    }
    const tokenKey = agentTokenKey(token)
    const isEnded = session.state !== 'active'
    return {
      principal: { organization, session: { ...session, tokenKey } },
      credentialId: session.id,
      grant,
      ...(isEnded && { isEnded }),
    }
  }

  async function delegate(token: string, agentId: string | undefined): Promise<Admitted> {
    const principal = await delegates.verify(token, agentId ?? '')
    const grant = await limiter.acquire('agent', principal.delegate.parentAgentId)
    return { principal, credentialId: principal.delegate.jti, grant }
  }

  return {
    async admit(route, credentials, onOrigin) {
      const isSecret = route.lane === 'secret' || credentials.publishableKey === undefined
      switch (route.lane) {
        case 'public':
          return { principal: {}, credentialId: '' }
        case 'wallet':
          return wallet(route, credentials, onOrigin)
        case 'publishable':
        case 'secret':
        case 'publishable_or_secret': {
          if (isSecret && route.lane !== 'publishable') return secret(route, credentials)
          const { key, organization } = await publishable(credentials, onOrigin)
          return { principal: { organization, key }, credentialId: key.id }
        }
        case 'portal':
          return portal(route, credentials)
        case 'portal_or_secret':
          return portalOrSecret(route, credentials)
        case 'agent':
          return agent(route, bearerOf(credentials))
        case 'secret_or_agent': {
          const bearer = bearerOf(credentials)
          return bearer.startsWith('as_live_') ? agent(route, bearer) : secret(route, credentials)
        }
        case 'agent_or_delegate': {
          const bearer = bearerOf(credentials)
          return bearer.startsWith('ac_live_') ? delegate(bearer, credentials.agentId) : agent(route, bearer)
        }
      }
    },
    async isOriginListed(origin) {
      return isOriginAllowed(origin, [], originRules) || (await credentialsStore.isOriginListed(sql, origin))
    },
  }
}

function bearerOf(credentials: Credentials): string {
  const bearer = readBearer(credentials)
  if (bearer === undefined) throw new ApiError('unauthorized')
  return bearer
}

function readBearer({ authorization }: Credentials): string | undefined {
  if (authorization === undefined || authorization.length > 8_200) return undefined
  return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7) : undefined
}
