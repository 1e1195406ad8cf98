import { Email } from '@symbolon/api'
import type { Sql } from '../../db/pool.ts'
import type { Ids } from '../../ports/clock.ts'
import { type IdentityProvider, IdentityProviderError } from '../../ports/identity-provider.ts'
import type { Random } from '../../ports/random.ts'
import { portalSessionsStore } from './portal-sessions.store.ts'
import { type PortalUser, portalUsersStore } from './portal-users.store.ts'

/** How long a session lives, used or not (decisions.md 2). */
export const sessionLifetimeMs = 12 * 3_600_000
/** How long the way through the identity provider may take. */
export const loginLifetimeMs = 10 * 60_000

/** A session that was just made: the only time its token is known. */
export type NewSession = { token: string; user: PortalUser; expiresAt: Date }

/** Logins of portal users at the identity provider, and the sessions they open. */
export function portalLogin({
  sql,
  ids,
  random,
  hashToken,
  identityProvider,
  redirectUri,
}: {
  sql: Sql
  ids: Ids
  random: Random
  hashToken: (token: string) => Uint8Array
  identityProvider: IdentityProvider
  /** Where the identity provider sends browsers back to. */
  redirectUri: string
}) {
  const draw = () => Buffer.from(random(32)).toString('base64url')

  async function open(user: PortalUser): Promise<NewSession> {
    const token = draw()
    const session = { id: ids.next(), userId: user.id, tokenHash: hashToken(token) }
    const expiresAt = await portalSessionsStore.insert(sql, { ...session, lifetimeMs: sessionLifetimeMs })
    return { token, user, expiresAt }
  }

  return {
    /** Begins a login: where the browser goes, and the cookie that alone may finish it. Throws `IdentityProviderError`. */
    async begin(returnTo: string): Promise<{ url: string; cookie: string }> {
      const { url, state, nonce, codeVerifier } = await identityProvider.begin(redirectUri)
      const cookie = draw()
      const login = { state, nonce, codeVerifier, returnTo: ownPath(returnTo) }
      await portalSessionsStore.insertLogin(sql, hashToken(cookie), login, loginLifetimeMs)
      return { url, cookie }
    },

    /**
     * Finishes a login in the browser that began it, once: `cookie` is what `begin` gave it, `query` what the identity
     * provider added to the callback's address. The session is always a new one (no fixation), and one that the browser had
     * before ends. Throws `IdentityProviderError`.
     */
    async finish(
      cookie: string | undefined,
      query: string,
      earlierToken: string | undefined,
    ): Promise<NewSession & { returnTo: string }> {
      const login =
        cookie === undefined ? undefined : await portalSessionsStore.takeLogin(sql, hashToken(cookie))
      if (login === undefined) throw new IdentityProviderError('refused')
      const { name, ...proven } = await identityProvider.finish(`${redirectUri}${query}`, login)
      const email = Email.safeParse(proven.email).data
      if (email === undefined) throw new IdentityProviderError('no_verified_email')
      const person = { ...proven, email, name: shownName(name) }
      const user = await sql.begin((tx) => portalUsersStore.ofPerson(tx, ids.next(), person))
      // Somebody else at the provider holds this address here.
      if (user === undefined) throw new IdentityProviderError('refused')
      if (earlierToken !== undefined) await portalSessionsStore.end(sql, hashToken(earlierToken))
      return { ...(await open(user)), returnTo: login.returnTo }
    },

    /** Opens a session for an address (as `Email` parses it) without the identity provider: for development alone. */
    async openFor(email: string): Promise<NewSession> {
      return open(await portalUsersStore.ofEmail(sql, ids.next(), email))
    },

    /** Ends the session of a token; an unknown one is no error. */
    async end(token: string): Promise<void> {
      await portalSessionsStore.end(sql, hashToken(token))
    },
  }
}

export type PortalLogin = ReturnType<typeof portalLogin>

/** The portal's page that a path names; anything that a browser could read as another place becomes the portal's start. */
function ownPath(path: string): string {
  const start = '/portal'
  if (/[\\\p{Cc}]/u.test(path)) return start
  const url = URL.parse(path, 'http://self.invalid')
  if (url === null || url.origin !== 'http://self.invalid') return start
  // Judged as a browser will read it: "/..//elsewhere" is a path that becomes a host.
  const own = url.pathname + url.search + url.hash
  return /^\/portal(?![^/?#])/.test(own) ? own : start
}

/** A name as the provider tells it, fit to be stored and shown. */
const shownName = (name: string) =>
  name
    .replaceAll(/\p{Cc}|\p{Cs}/gu, '')
    .slice(0, 200)
    .trim()
