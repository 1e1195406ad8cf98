import { beginPortalLogin, endPortalSession, finishPortalLogin, getPortalSession } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { Limiter } from '../../http/limiter.ts'
import { IdentityProviderError } from '../../ports/identity-provider.ts'
import type { Log } from '../../ports/log.ts'
import { clientBlock } from '../../runtime/client-block.ts'
import { rateLimited } from '../../runtime/failure.ts'
import {
  beginLogin,
  finishLogin,
  loginLifetimeMs,
  type PortalLoginCtx,
  sessionLifetimeMs,
} from './portal-login.ts'
import { portalSessionsStore } from './portal-sessions.store.ts'

/** Logging in to the portal and out of it. */
export const portalRoutes = (ctx: PortalLoginCtx, limiter: Limiter, log: Log) => [
  on(beginPortalLogin, async ({ query, cookies, request, rate }) => {
    const grant = await limiter.acquire('portal-login', clientBlock(request.address))
    rate(grant)
    if (!grant.isGranted) return rateLimited(grant)
    try {
      const { url, cookie } = await beginLogin(ctx, query.return_to)
      cookies.set('login', cookie, loginLifetimeMs / 1_000)
      return url
    } catch (error) {
      return errorPage(error, log)
    }
  }),

  on(finishPortalLogin, async ({ cookies, request }) => {
    const question = request.url.indexOf('?')
    const query = question === -1 ? '' : request.url.slice(question)
    const cookie = cookies.read('login')
    cookies.set('login', '', 0)
    try {
      const login = await finishLogin(ctx, { cookie, query, earlierToken: cookies.read('session') })
      cookies.set('session', login.token, sessionLifetimeMs / 1_000)
      return login.returnTo
    } catch (error) {
      return errorPage(error, log)
    }
  }),

  on(getPortalSession, async ({ principal: { user, session } }) => ({
    user,
    expires_at: session.expiresAt.toISOString(),
  })),

  on(endPortalSession, async ({ cookies }) => {
    const token = cookies.read('session')
    if (token !== undefined) await ctx.sql.alone((tx) => portalSessionsStore.end(tx, ctx.hashToken(token)))
    cookies.set('session', '', 0)
  }),
]

/** The portal's start page, which explains why the login failed: the browser cannot act on an error of ours. */
function errorPage(error: unknown, log: Log): string {
  if (!(error instanceof IdentityProviderError)) throw error
  log.warn({ err: error }, 'a portal login failed')
  return `/portal?login_error=${error.code}`
}
