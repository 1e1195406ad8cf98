import type { Queryable } from '../../db/pool.ts'

/** A login that has begun, with what its callback needs. */
export type PendingLogin = { state: string; nonce: string; codeVerifier: string; returnTo: string }

/** The statements of portal sessions and of logins that have begun. Only keyed hashes of cookies are stored. */
export const portalSessionsStore = {
  async insertLogin(
    sql: Queryable,
    cookieHash: Uint8Array,
    login: PendingLogin,
    lifetimeMs: number,
  ): Promise<void> {
    await sql`
      insert into portal_logins (cookie_hash, state, nonce, code_verifier, return_to, expires_at)
      values (${cookieHash}, ${login.state}, ${login.nonce}, ${login.codeVerifier}, ${login.returnTo},
        app_now() + ${lifetimeMs} * interval '1 millisecond')`
  },

  /** Deletes and returns a login: only one callback gets it. */
  async consumeLogin(sql: Queryable, cookieHash: Uint8Array): Promise<PendingLogin | undefined> {
    const rows = await sql<(PendingLogin & { isPast: boolean })[]>`
      delete from portal_logins where cookie_hash = ${cookieHash}
      returning state, nonce, code_verifier as "codeVerifier", return_to as "returnTo", expires_at <= app_now() as "isPast"`
    const [row] = rows
    if (row === undefined || row.isPast) return undefined
    return row
  },

  async insert(
    sql: Queryable,
    session: { id: string; userId: string; tokenHash: Uint8Array; lifetimeMs: number },
  ): Promise<Date> {
    const rows = await sql<{ expiresAt: Date }[]>`
      with came as (
        update portal_users set first_login_at = app_now() where id = ${session.userId} and first_login_at is null)
      insert into portal_sessions (id, user_id, token_hash, expires_at)
      values (${session.id}, ${session.userId}, ${session.tokenHash},
        app_now() + ${session.lifetimeMs} * interval '1 millisecond')
      returning expires_at as "expiresAt"`
    const [row] = rows
    if (row === undefined) throw new Error('The session was not stored.')
    return row.expiresAt
  },

  /** Ends a session; does nothing for one that is unknown or has ended. */
  async end(sql: Queryable, tokenHash: Uint8Array): Promise<void> {
    await sql`
      update portal_sessions set ended_at = app_now() where token_hash = ${tokenHash} and ended_at is null`
  },
}
