import type { Identity, Login } from '../generated/answers.ts'
import type { Result } from '../result.ts'
import type { Session } from '../session/session.ts'
import type { ApiCode, Context } from './context.ts'

/** Logging in and out. */
export type Auth = {
  /** Emails a login code of 6 digits. */
  sendCode(email: string): Promise<Result<null, ApiCode<'POST /v1/wallets/auth/email-otp/start'>>>
  /** Exchanges the emailed code for a login, which lasts an hour. */
  verifyCode(
    email: string,
    code: string,
  ): Promise<Result<Omit<Login, 'token'>, ApiCode<'POST /v1/wallets/auth/email-otp/verify'>>>
  /** Logs in with a token of the organization's own identity provider. Call it again with each renewed token. */
  setToken(jwt: string): Promise<Result<Identity, ApiCode<'POST /v1/wallets/identify'>>>
  /**
   * Ends the login: in this client immediately, whatever the service answers, and on the platform for everyone who holds the
   * token.
   */
  logout(): Promise<Result<null, ApiCode<'POST /v1/wallets/me/logout'>>>
  /** Who is logged in; the same object until that changes. */
  session(): Session
  /** Calls back on every change. Returns the unsubscribe function. */
  onChange(listener: (session: Session) => void): () => void
}

/** The logins of a client. */
export function auth({ call, frame, sessions, identity }: Context): Auth {
  const logIn = ({ token, ...user }: Login) => {
    sessions.start(token, { userIdentityId: user.user_identity_id, email: user.email })
    return { data: user, error: null }
  }
  return {
    async sendCode(email) {
      // The frame keeps what names this browser to the service; pages never see it. Outside browsers there is no frame.
      const asked = await frame.request('login.start', { email })
      if (asked.error === null) return { data: null, error: null }
      if (asked.error.code !== 'frame_unreachable') return { data: null, error: asked.error as never }
      return call('POST /v1/wallets/auth/email-otp/start', { body: { email } })
    },
    async verifyCode(email, code) {
      const verified = await frame.request('login.verify', { email, code })
      if (verified.error === null) return logIn(verified.data)
      if (verified.error.code !== 'frame_unreachable') return { data: null, error: verified.error as never }
      // A code is spent by its first use, so an answer that was lost cannot be had again.
      const result = await call('POST /v1/wallets/auth/email-otp/verify', {
        body: { email, code },
        isRepeatable: false,
      })
      if (result.error !== null) return result
      return logIn(result.data)
    },
    async setToken(jwt) {
      sessions.start(jwt)
      const result = await identity()
      if (result.error?.code === 'unauthorized') sessions.end('ended', jwt)
      return result
    },
    async logout() {
      const token = sessions.token()
      if (token === null) return { data: null, error: null }
      // The call must carry the token that is forgotten in the same moment.
      const ended = call('POST /v1/wallets/me/logout', {})
      sessions.end('logged_out', token)
      return ended
    },
    session: sessions.state,
    onChange: sessions.onChange,
  }
}
