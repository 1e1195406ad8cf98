import { Email } from '@symbolon/api'
import type { Sql } from '../../db/pool.ts'
import type { Ids } from '../../ports/clock.ts'
import { type IdentityProvider, IdentityProviderError } from '../../ports/identity-provider.ts'
import type { Random } from '../../ports/random.ts'
import { type PortalUser, portalUsersStore } from '../members/index.ts'
import { portalSessionsStore } from './portal-sessions.store.ts'

/** The lifetime of a session, used or not. */
export const sessionLifetimeMs = 12 * 3_600_000
/** The time limit of a login at the identity provider. */
export const loginLifetimeMs = 10 * 60_000

/** A new session with its token, which is known only now. */
export type NewSession = { token: string; user: PortalUser; expiresAt: Date }

/** The context for logins to the portal. The identity provider sends browsers back to `redirectUri`. */
export type PortalLoginCtx = {
  sql: Sql
  ids: Ids
  random: Random
  hashToken: (token: string) => Uint8Array
  identityProvider: IdentityProvider
  redirectUri: string
}

/** Begins a login: returns where the browser goes, and the cookie that alone may finish it. Throws `IdentityProviderError`. */
export async function beginLogin(
  ctx: PortalLoginCtx,
  returnTo: string,
): Promise<{ url: string; cookie: string }> {
  const { url, state, nonce, codeVerifier } = await ctx.identityProvider.begin(ctx.redirectUri)
  const cookie = drawToken(ctx)
  const login = { state, nonce, codeVerifier, returnTo: ownPath(returnTo) }
  await portalSessionsStore.insertLogin(ctx.sql, ctx.hashToken(cookie), login, loginLifetimeMs)
  return { url, cookie }
}

/**
 * Finishes a login once, in the browser that began it: `cookie` comes from `beginLogin`, `query` is what the identity provider added to
 * the callback's address. The session is always a new one, against session fixation; the browser's earlier session ends. Throws
 * `IdentityProviderError`.
 */
export async function finishLogin(
  ctx: PortalLoginCtx,
  { cookie, query, earlierToken }: Record<'cookie' | 'earlierToken', string | undefined> & { query: string },
): Promise<NewSession & { returnTo: string }> {
  const { sql, ids, hashToken, identityProvider, redirectUri } = ctx
  const login =
    cookie === undefined ? undefined : await portalSessionsStore.consumeLogin(sql, hashToken(cookie))
  if (login === undefined) throw new IdentityProviderError('refused')
  const { name, ...proven } = await identityProvider.finish(`${redirectUri}${query}`, login)
  const email = Email.safeParse(proven.email).data
  if (email === undefined) throw new IdentityProviderError('no_verified_email')
  const person = { ...proven, email, name: shownName(name) }
  const user = await sql.begin((tx) => portalUsersStore.ofPerson(tx, ids.next(), person))
  // Another person at the provider already has this address here.
  if (user === undefined) throw new IdentityProviderError('refused')
  if (earlierToken !== undefined) await portalSessionsStore.end(sql, hashToken(earlierToken))
  return { ...(await openSession(ctx, user)), returnTo: login.returnTo }
}

/** Opens a session for a user; used without a login in development only. */
export async function openSession(
  ctx: Omit<PortalLoginCtx, 'identityProvider' | 'redirectUri'>,
  user: PortalUser,
): Promise<NewSession> {
  const token = drawToken(ctx)
  const session = { id: ctx.ids.next(), userId: user.id, tokenHash: ctx.hashToken(token) }
  const expiresAt = await portalSessionsStore.insert(ctx.sql, { ...session, lifetimeMs: sessionLifetimeMs })
  return { token, user, expiresAt }
}

const drawToken = ({ random }: { random: Random }) => Buffer.from(random(32)).toString('base64url')

/** The path if it is one of the portal's pages; otherwise, the portal's start page. */
function ownPath(path: string): string {
  const start = '/portal'
  if (/[\\\p{Cc}]/u.test(path)) return start
  const url = URL.parse(path, 'http://self.invalid')
  if (url === null || url.origin !== 'http://self.invalid') return start
  // Checked as a browser reads it: "/..//elsewhere" is a path that becomes a host.
  const own = url.pathname + url.search + url.hash
  return /^\/portal(?![^/?#])/.test(own) ? own : start
}

/** The provider's name for the user, made safe to store and show. */
const shownName = (name: string) =>
  name
    .replaceAll(/\p{Cc}|\p{Cs}/gu, '')
    .slice(0, 200)
    .trim()
