import { readToken } from './read-token.ts'

/** Why nobody is logged in (any more). */
export type SignedOutReason = 'logged_out' | 'expired' | 'ended'

/**
 * Who is logged in. `userIdentityId` and `email` are null until the service has returned them (tokens of an identity
 * provider). Only the client has the token itself. `expiresAt` is null for tokens without an expiry.
 */
export type Session =
  | {
      readonly status: 'signed_in'
      readonly userIdentityId: string | null
      readonly email: string | null
      readonly expiresAt: Date | null
    }
  | { readonly status: 'signed_out'; readonly reason: SignedOutReason | null }

/** What pages before the first login see, and servers that render one: the same object always. */
export const signedOut: Session = Object.freeze({ status: 'signed_out', reason: null })

/** Where the token outlives a reload. */
export type TokenStore = { read(): string | null; write(token: string | null): void }

/** The login of one client. */
export type Sessions = {
  /** The same object until something changes. */
  state(): Session
  token(): string | null
  /** A new token; whose it is may follow later. */
  start(token: string, who?: Who): void
  /** Names the user of the token, unless another token has come meanwhile. */
  name(token: string, who: Who): void
  /** Forgets the token; only that one, where it is named: an answer to an older one ends no newer login. */
  end(reason: SignedOutReason, token?: string): void
  onChange(listener: (session: Session) => void): () => void
}

type Who = { readonly userIdentityId: string; readonly email: string | null }

const timerMsMax = 2_147_483_647

/** Keeps the login until the token expires. `now` in milliseconds since the epoch. */
export function sessions(store: TokenStore, now: () => number): Sessions {
  const listeners = new Set<(session: Session) => void>()
  let token: string | null = null
  let session: Session = signedOut
  let timer: ReturnType<typeof setTimeout> | undefined

  const set = (next: string | null, state: Session) => {
    clearTimeout(timer)
    if (next !== token) store.write(next)
    token = next
    session = Object.freeze(state)
    if (state.status === 'signed_in') watchExpiry(state.expiresAt)
    for (const listener of [...listeners]) listener(session)
  }
  const watchExpiry = (expiresAt: Date | null) => {
    if (expiresAt === null) return
    const ms = Math.min(Math.max(expiresAt.getTime() - now(), 0), timerMsMax)
    timer = setTimeout(() => {
      if (now() >= expiresAt.getTime()) set(null, { status: 'signed_out', reason: 'expired' })
      else watchExpiry(expiresAt)
    }, ms)
    // In Node a waiting timer would keep a finished program alive.
    if (isNodeTimer(timer)) timer.unref()
  }
  const self: Sessions = {
    state: () => session,
    token: () => token,
    start(next, who) {
      const { expiresAtMs, email } = readToken(next)
      set(next, {
        status: 'signed_in',
        userIdentityId: who?.userIdentityId ?? null,
        email: who?.email ?? email,
        expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs),
      })
    },
    name(of, who) {
      if (of !== token || session.status !== 'signed_in') return
      const isKnown = session.userIdentityId === who.userIdentityId && session.email === who.email
      if (!isKnown) set(token, { ...session, ...who })
    },
    end(reason, of = token ?? undefined) {
      if (token !== null && of === token) set(null, { status: 'signed_out', reason })
    },
    onChange(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
  const stored = store.read()
  const expiresAtMs = stored === null ? null : readToken(stored).expiresAtMs
  if (stored !== null && (expiresAtMs === null || expiresAtMs > now())) self.start(stored)
  else if (stored !== null) store.write(null)
  return self
}

/** Browsers number their timers; Node's are objects. */
function isNodeTimer(timer: unknown): timer is { unref(): void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer
}
