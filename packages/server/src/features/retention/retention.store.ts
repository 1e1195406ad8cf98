import type { Queryable, Transaction } from '../../db/pool.ts'

// An arbitrary constant: the first bytes of SHA-256("symbolon sweep").
const lockKey = 3_240_771_908

/** When a row has expired, by table. Conditions never become false again, except for rate limits, whose row is then rewritten. */
const conditions = {
  // One hour after the token's end: clock skew cannot bring a revoked token back.
  revoked_tokens: `expires_at < app_now() - interval '1 hour'`,
  accepted_tokens: `expires_at < app_now() - interval '1 hour'`,
  idempotency_keys: `expires_at < app_now()`,
  agent_call_notes: `expires_at < app_now()`,
  // Written by the release before `login_codes`.
  email_codes: `expires_at < app_now() - interval '15 minutes'`,
  login_codes: `expires_at < app_now() - interval '1 hour'`,
  // All three count for a day.
  login_newcomers: `touched_at < app_now() - interval '25 hours'`,
  login_mailboxes: `touched_at < app_now() - interval '25 hours'`,
  login_clients: `touched_at < app_now() - interval '25 hours'`,
  login_addresses: `touched_at < app_now() - interval '31 days'`,
  login_hours: `hour < app_now() - interval '3 days'`,
  login_alarms: `greatest(slow_until, mailed_at) < app_now() - interval '3 days'`,
  // A bucket whose arrival time is past equals a missing one.
  rate_limits: `tat < extract(epoch from app_now()) - 60`,
  portal_sessions: `expires_at < app_now()`,
  portal_logins: `expires_at < app_now()`,
  // One hour after its end: a clock that is set back cannot bring a used one back.
  delegation_jtis: `expires_at < app_now() - interval '1 hour'`,
  device_tokens: `expires_at < app_now() - interval '1 hour'`,
  // A device that no login names again is kept as long as the link in the email about it.
  devices: `last_login_at < app_now() - case when nonce_hash is null then interval '31 days' else interval '400 days' end`,
  // For a while the page of an old link says that it is over.
  mailed_links: `expires_at < app_now() - interval '7 days'`,
  // The caps of recoveries count the last day only.
  recovery_processes: `created_at < app_now() - interval '30 days'`,
  key_transfers: `created_at < app_now() - interval '30 days'`,
  // Stored for a wallet whose creation failed. Only recent rows are checked, because every row is checked once.
  recovery_shares: `stored_at between app_now() - interval '2 days' and app_now() - interval '1 hour'
    and not exists (select 1 from wallets w where w.id = recovery_shares.wallet_id)`,
  // Built but never submitted: it reserves nothing, and nobody can read it.
  user_operations: `state = 'expired' and submitted_at is null and created_at < app_now() - interval '1 day'`,
} as const

/** A table whose rows expire. */
export type ExpiringTable = keyof typeof conditions

/** All tables whose rows expire. */
export const expiringTables = Object.keys(conditions) as readonly ExpiringTable[]

/** The statements of the retention job. */
export const retentionStore = {
  /** Tries to take the job's lock until the transaction ends. A session's lock would stay with the pooler's connection. */
  async tryLock(tx: Transaction): Promise<boolean> {
    const rows = await tx<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${lockKey}) as mine`
    return rows[0]?.mine === true
  },

  /** Waits for the job's lock. */
  async lock(tx: Transaction): Promise<void> {
    await tx`select pg_advisory_xact_lock(${lockKey})`
  },

  /** Deletes up to `treesMax` trees of runs that ended `days` ago, with everything that belongs to them; returns how many. */
  async deleteRuns(sql: Queryable, days: number, treesMax: number): Promise<number> {
    const rows = await sql<{ trees: number }[]>`
      select sweep_agent_runs(${days} * interval '1 day', ${treesMax}) as trees`
    return rows[0]?.trees ?? 0
  },

  /** Deletes up to `rowsMax` expired rows that nobody has locked; returns how many. */
  async deleteExpired(sql: Queryable, table: ExpiringTable, rowsMax: number): Promise<number> {
    const result = await sql`
      delete from ${sql.identifier(table)} where ctid = any(array(
        select ctid from ${sql.identifier(table)} where ${sql.unsafe(conditions[table])} limit ${rowsMax} for update skip locked))`
    return result.count
  },
}
