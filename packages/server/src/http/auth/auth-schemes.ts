import { ApiError, type Lane } from '@symbolon/api'
import { isOriginAllowed } from '../origin.ts'
import { authenticateAgentToken } from './agent-token.ts'
import {
  type AuthCtx,
  type Authenticated,
  type AuthRequest,
  type AuthScheme,
  requireBearer,
} from './auth-scheme.ts'
import { authenticateDelegateToken } from './delegate-token.ts'
import { authenticateEndUser } from './end-user.ts'
import { authenticatePortalSession } from './portal-session.ts'
import { authenticatePublishableKey } from './publishable-key.ts'
import { authenticateSecretKey } from './secret-key.ts'

/** The auth schemes of the service. */
export type AuthSchemes = {
  /** Returns the principal, or throws an error of the route's lane. */
  authenticate(request: AuthRequest): Promise<Authenticated>
  /** Whether a preflight from the origin, which names no organization, may be answered. */
  isOriginListed(origin: string): Promise<boolean>
}

/**
 * Builds the auth schemes. No scheme caches a decision: each request asks the database, together with those that arrive at the same
 * moment, so that every process refuses a revoked credential from its revocation on.
 */
export const authSchemes = (ctx: AuthCtx): AuthSchemes => ({
  authenticate: (request) => schemes[request.route.lane](ctx, request),
  isOriginListed: async (origin) =>
    isOriginAllowed(origin, [], ctx.originRules) || (await ctx.find.isOriginListed(origin)),
})

const schemes: Readonly<Record<Lane, AuthScheme>> = {
  public: async () => ({ principal: {}, credentialId: '' }),
  publishable: authenticatePublishableKey,
  wallet: authenticateEndUser,
  secret: authenticateSecretKey,
  agent: authenticateAgentToken,
  portal: authenticatePortalSession,
  publishable_or_secret: (ctx, request) =>
    request.credentials.publishableKey === undefined
      ? authenticateSecretKey(ctx, request)
      : authenticatePublishableKey(ctx, request),
  portal_or_secret: (ctx, request) =>
    request.credentials.authorization === undefined
      ? authenticatePortalSession(ctx, request)
      : authenticateSecretKeyOfPath(ctx, request),
  secret_or_agent: async (ctx, request) =>
    requireBearer(request.credentials, 'sk_live_', 'as_live_').startsWith('as_live_')
      ? authenticateAgentToken(ctx, request)
      : authenticateSecretKey(ctx, request),
  agent_or_delegate: async (ctx, request) =>
    requireBearer(request.credentials, 'as_live_', 'ac_live_').startsWith('ac_live_')
      ? authenticateDelegateToken(ctx, request)
      : authenticateAgentToken(ctx, request),
}

/** A secret key of the organization in the path; to any other key the path does not exist. */
async function authenticateSecretKeyOfPath(ctx: AuthCtx, request: AuthRequest): Promise<Authenticated> {
  const authenticated = await authenticateSecretKey(ctx, request)
  const isOwn = authenticated.principal.organization.id === request.credentials.organizationId
  if (authenticated.grant?.isGranted !== false && !isOwn) throw new ApiError('not_found')
  return authenticated
}
