import { ApiError, type Lane, portalRoles } from '@symbolon/api'
import {
  type AuthCtx,
  type Authenticated,
  type AuthRequest,
  bearerKind,
  type Credentials,
} from './auth-scheme.ts'

/** Authenticates a portal session, with the role that the route needs in the organization of the path. */
export async function authenticatePortalSession(
  { find, limiter, originRules }: AuthCtx,
  { route, weight, credentials }: AuthRequest,
): Promise<Authenticated> {
  const { sessionToken, organizationId, origin } = credentials
  if (sessionToken === undefined)
    throw new ApiError('unauthorized', {
      message: `${strangeCredential(credentials)}${signInFirst(route.lane)}`,
    })
  // Browsers send the cookie with requests of any page: only the platform's own pages may change anything.
  if (route.method !== 'GET' && origin !== originRules.ownOrigin)
    throw new ApiError('origin_not_allowed', {
      message: origin === undefined ? needsOrigin(originRules.ownOrigin) : ownPages(originRules.ownOrigin),
    })
  const principal = await find.portalSession(sessionToken, organizationId)
  if (principal === undefined) throw new ApiError('unauthorized')
  if (route.role !== undefined) {
    if (principal.role === undefined) throw new ApiError('not_found')
    if (portalRoles.indexOf(principal.role) < portalRoles.indexOf(route.role)) throw new ApiError('forbidden')
  }
  const authenticated = { principal, credentialId: principal.session.id }
  if (route.limit === undefined) return authenticated
  const bucket = { name: route.limit, key: principal.user.id } as const
  return { ...authenticated, grant: await limiter.acquire(bucket.name, bucket.key, weight), bucket }
}

const needsOrigin = (origin: string) => `This call needs the header \`Origin: ${origin}\`.`

const ownPages = (origin: string) =>
  `Portal calls are taken from pages of ${origin} only, whatever origins an organization allows.`

/** What a call without a session has instead, such as a secret key, which is for other routes. */
function strangeCredential(credentials: Credentials): string {
  const kind =
    bearerKind(credentials) ?? (credentials.publishableKey === undefined ? undefined : 'a publishable key')
  return kind === undefined
    ? ''
    : `This is ${kind}, but this call takes the session of a person, in a cookie. `
}

const signInFirst = (lane: Lane): string =>
  lane === 'portal_or_secret'
    ? 'Sign in to the portal, or send the header `Authorization: Bearer sk_live_…`.'
    : 'Sign in to the portal first.'
