import type { Queryable, Transaction } from '../../db/pool.ts'

// Any constant of its own: the first bytes of SHA-256("symbolon sweep").
const lockKey = 3_240_771_908

/** What is worth nothing any more, by table: each condition only ever becomes true for good, or frees what is full again. */
const worthless = {
  // An hour more than the token's life: no clock's skew brings a revoked one back.
  revoked_tokens: `expires_at < app_now() - interval '1 hour'`,
  accepted_tokens: `expires_at < app_now() - interval '1 hour'`,
  idempotency_keys: `expires_at < app_now()`,
  agent_call_notes: `expires_at < app_now()`,
  // A code lives for 10 min and counts for 15 min.
  email_codes: `expires_at < app_now() - interval '15 minutes'`,
  // A bucket whose arrival time is past is as good as none.
  rate_limits: `tat < extract(epoch from app_now()) - 60`,
  portal_sessions: `expires_at < app_now()`,
  portal_logins: `expires_at < app_now()`,
  // An hour more than it can be used: no clock's step back brings a used one back.
  delegation_jtis: `expires_at < app_now() - interval '1 hour'`,
  // What the caps of recovery count is a day old at most.
  recovery_processes: `created_at < app_now() - interval '30 days'`,
  key_transfers: `created_at < app_now() - interval '30 days'`,
  // Stored for a wallet whose creation then failed; once is enough, and only the newest rows are looked at.
  recovery_shares: `stored_at between app_now() - interval '2 days' and app_now() - interval '1 hour'
    and not exists (select 1 from wallets w where w.id = recovery_shares.wallet_id)`,
  // Built and never submitted: it holds nothing, and nobody can read it.
  user_operations: `state = 'expired' and submitted_at is null and created_at < app_now() - interval '1 day'`,
} as const

/** A table that is swept. */
export type SweptTable = keyof typeof worthless

/** All of them. */
export const sweptTables = Object.keys(worthless) as readonly SweptTable[]

/** The statements of the sweeper. */
export const sweepStore = {
  /**
   * Whether this transaction is the one that sweeps, until it ends. A session's lock would stay in a pooler's hands.
   */
  async tryLock(tx: Transaction): Promise<boolean> {
    const rows = await tx<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${lockKey}) as mine`
    return rows[0]?.mine === true
  },

  /** Waits until this transaction is the one that sweeps. */
  async lock(tx: Transaction): Promise<void> {
    await tx`select pg_advisory_xact_lock(${lockKey})`
  },

  /** Deletes up to `treesMax` trees of runs that ended `days` ago, with all that belongs to them, and answers how many. */
  async sweepRuns(sql: Queryable, days: number, treesMax: number): Promise<number> {
    const rows = await sql<{ trees: number }[]>`
      select sweep_agent_runs(${days} * interval '1 day', ${treesMax}) as trees`
    return rows[0]?.trees ?? 0
  },

  /** Deletes up to `rowsMax` rows that nobody holds, and answers how many. */
  async sweep(sql: Queryable, table: SweptTable, rowsMax: number): Promise<number> {
    const result = await sql`
      delete from ${sql.identifier(table)} where ctid = any(array(
        select ctid from ${sql.identifier(table)} where ${sql.unsafe(worthless[table])} limit ${rowsMax} for update skip locked))`
    return result.count
  },
}
