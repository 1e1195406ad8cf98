import { beginPortalLogin, endPortalSession, finishPortalLogin, getPortalSession } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { Limiter } from '../../http/limiter.ts'
import { IdentityProviderError } from '../../ports/identity-provider.ts'
import type { Log } from '../../ports/log.ts'
import { loginLifetimeMs, type PortalLogin, sessionLifetimeMs } from './portal-login.ts'

/** Where a login that failed leads, and why. */
const failed = (error: IdentityProviderError) => `/portal?login_error=${error.code}`

/** Logging in to the portal and out of it. */
export function portalRoutes(login: PortalLogin, limiter: Limiter, log: Log) {
  /** What the portal's start page shows instead of an error nobody can act on. */
  function readable(error: unknown): string {
    if (!(error instanceof IdentityProviderError)) throw error
    log.warn({ err: error }, 'a portal login failed')
    return failed(error)
  }

  return [
    on(beginPortalLogin, async ({ query, cookies, request, rate, fail }) => {
      const permit = await limiter.acquire('portal-login', request.address)
      rate(permit)
      if (!permit.isGranted)
        throw fail('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(permit.retrySeconds)) })
      try {
        const { url, cookie } = await login.begin(query.return_to)
        cookies.set('login', cookie, loginLifetimeMs / 1_000)
        return url
      } catch (error) {
        return readable(error)
      }
    }),

    on(finishPortalLogin, async ({ cookies, request }) => {
      const question = request.url.indexOf('?')
      const query = question === -1 ? '' : request.url.slice(question)
      const pending = cookies.read('login')
      cookies.set('login', '', 0)
      try {
        const { token, returnTo } = await login.finish(pending, query, cookies.read('session'))
        cookies.set('session', token, sessionLifetimeMs / 1_000)
        return returnTo
      } catch (error) {
        return readable(error)
      }
    }),

    on(getPortalSession, async ({ principal: { user, session } }) => ({
      user,
      expires_at: session.expiresAt.toISOString(),
    })),

    on(endPortalSession, async ({ cookies }) => {
      const token = cookies.read('session')
      if (token !== undefined) await login.end(token)
      cookies.set('session', '', 0)
    }),
  ]
}
