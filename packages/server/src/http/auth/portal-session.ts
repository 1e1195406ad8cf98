import { ApiError, type Lane, portalRoles } from '@symbolon/api'
import type { AuthCtx, Authenticated, AuthRequest } from './auth-scheme.ts'

/** Authenticates a portal session, with the role that the route needs in the organization of the path. */
export async function authenticatePortalSession(
  { find, limiter, originRules }: AuthCtx,
  { route, weight, credentials: { sessionToken, organizationId, origin } }: AuthRequest,
): Promise<Authenticated> {
  if (sessionToken === undefined) throw new ApiError('unauthorized', { message: signInFirst(route.lane) })
  // Browsers send the cookie with requests of any page: only the platform's own pages may change anything.
  if (route.method !== 'GET' && origin !== originRules.ownOrigin)
    throw new ApiError('origin_not_allowed', origin === undefined ? needsOrigin(originRules.ownOrigin) : {})
  const principal = await find.portalSession(sessionToken, organizationId)
  if (principal === undefined) throw new ApiError('unauthorized')
  if (route.role !== undefined) {
    if (principal.role === undefined) throw new ApiError('not_found')
    if (portalRoles.indexOf(principal.role) < portalRoles.indexOf(route.role)) throw new ApiError('forbidden')
  }
  const authenticated = { principal, credentialId: principal.session.id }
  if (route.limit !== 'invitation') return authenticated
  const bucket = { name: route.limit, key: principal.user.id } as const
  return { ...authenticated, grant: await limiter.acquire(bucket.name, bucket.key, weight), bucket }
}

const needsOrigin = (origin: string) => ({ message: `This call needs the header \`Origin: ${origin}\`.` })

const signInFirst = (lane: Lane): string =>
  lane === 'portal_or_secret'
    ? 'Sign in to the portal, or send the header `Authorization: Bearer sk_live_…`.'
    : 'Sign in to the portal first.'
