import * as z from 'zod'
import { PortalSession } from '../member.ts'
import type { Route } from '../route.ts'

const parameter = z.string().max(4_096).exactOptional()

/** Sends a browser to the identity provider. */
export const beginPortalLogin = {
  id: 'portal.beginLogin',
  method: 'GET',
  path: '/v1/auth/login',
  lane: 'public',
  summary: 'Log in to the portal',
  description: 'For browsers: redirects to the identity provider (authorization code, PKCE, state, nonce).',
  query: z.strictObject({ return_to: z.string().max(1_024).default('/portal') }),
  status: 302,
  errors: [],
  limit: 'portal-login',
} as const satisfies Route

/** Takes a browser back from the identity provider. */
export const finishPortalLogin = {
  id: 'portal.finishLogin',
  method: 'GET',
  path: '/v1/auth/callback',
  lane: 'public',
  summary: 'Return from the identity provider',
  description:
    'Sets the session cookie and redirects to where the login began. A failed login redirects to `/portal?login_error=…`.',
  // Providers add what they like.
  query: z.looseObject({
    code: parameter,
    state: parameter,
    error: parameter,
  }),
  status: 302,
  errors: [],
} as const satisfies Route

/** Who is logged in. */
export const getPortalSession = {
  id: 'portal.getSession',
  method: 'GET',
  path: '/v1/auth/session',
  lane: 'portal',
  summary: 'Read the logged-in portal user',
  status: 200,
  data: PortalSession,
  errors: [],
} as const satisfies Route

/** Ends the session. */
export const endPortalSession = {
  id: 'portal.logout',
  method: 'POST',
  path: '/v1/auth/logout',
  lane: 'portal',
  summary: 'Log out of the portal',
  description: 'The session ends at once, in every process.',
  status: 204,
  errors: [],
} as const satisfies Route
