import type { RecoveryState } from '@symbolon/api'
import type { Curve } from '@symbolon/networks'
import type { Queryable } from '../../db/pool.ts'

/** A recovery process as its owner finds it. */
export type RecoveryProcess = {
  id: string
  organizationId: string
  userIdentityId: string
  walletId: string
  curve: Curve
  walletStatus: 'active' | 'archived'
  email: string
  state: RecoveryState
  expiresAt: Date
}

/** What a new process is made of; its times are the database's. */
export type NewProcess = Pick<
  RecoveryProcess,
  'id' | 'organizationId' | 'userIdentityId' | 'walletId' | 'email'
> & {
  salt: Uint8Array
  codeHash: Uint8Array
}

/** A row of the outbox. */
type MailRow = { id: string; sealedPayload: Uint8Array }

/** The statements of recovery. Every time in them is the database's. */
export const recoveryStore = {
  /** Seconds until a recovery of the wallet may start: five in 15 min and ten in a day are the most. 0 when one may now. */
  async secondsUntilNext(sql: Queryable, walletId: string): Promise<number> {
    const rows = await sql<{ seconds: number | null }[]>`
      select extract(epoch from greatest(
        (select created_at from recovery_processes where wallet_id = ${walletId}
          order by created_at desc offset 4 limit 1) + interval '15 minutes',
        (select created_at from recovery_processes where wallet_id = ${walletId}
          order by created_at desc offset 9 limit 1) + interval '1 day') - app_now())::double precision as seconds`
    return Math.max(0, Math.ceil(rows[0]?.seconds ?? 0))
  },

  /** How many of the five in 15 min are left. */
  async startsLeft(sql: Queryable, walletId: string): Promise<number> {
    const rows = await sql<{ count: number }[]>`
      select count(*)::integer as count from recovery_processes
      where wallet_id = ${walletId} and created_at > app_now() - interval '15 minutes'`
    return Math.max(0, 5 - (rows[0]?.count ?? 0))
  },

  /** Locks what every commit of an event, every archive and every logout of the organization waits for: always first. */
  async lockOrganization(tx: Queryable, organizationId: string): Promise<void> {
    await tx`select 1 from organization_counters where organization_id = ${organizationId} for update`
  },

  /** Ends the wallet's earlier process and starts one of 15 min, whose code lives for ten; queues the mail with the code. */
  async start(tx: Queryable, process: NewProcess, mail: MailRow): Promise<void> {
    await tx`
      update recovery_processes set state = case when attempts >= 5 and state = 'open' then 'locked' else 'expired' end
      where wallet_id = ${process.walletId} and state in ('open', 'verified')`
    await tx`
      with clock as materialized (select app_now() as now),
      process as (
        insert into recovery_processes (id, organization_id, user_identity_id, wallet_id, email, salt, code_hash,
          code_expires_at, expires_at, created_at)
        select ${process.id}, ${process.organizationId}, ${process.userIdentityId}, ${process.walletId}, ${process.email},
          ${process.salt}, ${process.codeHash}, now + interval '10 minutes', now + interval '15 minutes', now from clock
        returning code_expires_at, created_at)
      insert into outbox (id, kind, sealed_payload, next_attempt_at, expires_at)
      select ${mail.id}, 'mail', ${mail.sealedPayload}, created_at, code_expires_at from process`
  },

  /** The user's process, with its state as it is now. */
  async find(
    sql: Queryable,
    { organizationId, identityId, id }: { organizationId: string; identityId: string; id: string },
  ): Promise<RecoveryProcess | undefined> {
    const rows = await sql<RecoveryProcess[]>`
      select p.id, p.organization_id as "organizationId", p.user_identity_id as "userIdentityId",
        p.wallet_id as "walletId", w.curve, w.status as "walletStatus", p.email, recovery_state(p) as state, p.expires_at as "expiresAt"
      from recovery_processes p join wallets w on w.id = p.wallet_id
      where p.id = ${id} and p.organization_id = ${organizationId} and p.user_identity_id = ${identityId}`
    return rows[0]
  },

  /** Whether the user has any client wallet. */
  async hasWallet(sql: Queryable, organizationId: string, identityId: string): Promise<boolean> {
    const rows = await sql`
      select 1 from wallets where organization_id = ${organizationId} and user_identity_id = ${identityId} limit 1`
    return rows.length > 0
  },

  /** Takes one of the five guesses before anything is compared; undefined when the process takes none any more. */
  async takeGuess(
    sql: Queryable,
    id: string,
  ): Promise<{ salt: Uint8Array; codeHash: Uint8Array; isCodeAlive: boolean } | undefined> {
    const rows = await sql<{ salt: Uint8Array; codeHash: Uint8Array; isCodeAlive: boolean }[]>`
      update recovery_processes p set attempts = attempts + 1
      where id = ${id} and recovery_state(p) = 'open'
      returning salt, code_hash as "codeHash", code_expires_at > app_now() as "isCodeAlive"`
    return rows[0]
  },

  /** Locks the process whose fifth guess was wrong too. */
  async lockIfSpent(sql: Queryable, id: string): Promise<void> {
    await sql`update recovery_processes set state = 'locked' where id = ${id} and state = 'open' and attempts >= 5`
  },

  /** Gives the guess of a right code back, whose shares could not be answered. */
  async giveGuessBack(sql: Queryable, id: string): Promise<void> {
    await sql`update recovery_processes set attempts = attempts - 1 where id = ${id} and state = 'open' and attempts > 0`
  },

  /** Turns the open process into a verified one; `false` for all but one of those who come with the right code. */
  async verify(tx: Queryable, id: string): Promise<boolean> {
    const result = await tx`
      update recovery_processes set state = 'verified' where id = ${id} and state = 'open' and expires_at > app_now()`
    return result.count === 1
  },

  /** Reserves the process for one attempt to complete it; see `claim_recovery`. */
  async claim(
    sql: Queryable,
    claim: { id: string; attemptId: string; shareHash: Uint8Array; leaseMs: number },
  ): Promise<{ state: RecoveryState | 'busy'; version: number | null; isNewOffer: boolean | null }> {
    const rows = await sql<
      { state: RecoveryState | 'busy'; version: number | null; isNewOffer: boolean | null }[]
    >`
      select state, version, is_new_offer as "isNewOffer" from claim_recovery(${claim.id}, ${claim.attemptId},
        ${claim.shareHash}, ${claim.leaseMs} * interval '1 millisecond')`
    const row = rows[0]
    if (row === undefined) throw new Error('A claim answered no row.')
    return row
  },

  /** Ends an attempt's reservation. */
  async unclaim(sql: Queryable, { id, attemptId }: { id: string; attemptId: string }): Promise<void> {
    await sql`
      update recovery_processes set attempt_id = null, attempt_ends_at = null
      where id = ${id} and attempt_id = ${attemptId} and state = 'verified'`
  },

  /** Forgets an offer that certainly never arrives: its version is free for another share. */
  async withdrawOffer(sql: Queryable, walletId: string, version: number): Promise<void> {
    await sql`delete from recovery_offers where wallet_id = ${walletId} and polynomial_version = ${version}`
  },

  /**
   * Completes the process for the attempt that holds it and raises the wallet's version; undefined, and nothing written that
   * a rollback does not undo, when process or wallet has moved on.
   */
  async complete(
    tx: Queryable,
    attempt: { id: string; attemptId: string; walletId: string; fromVersion: number; toVersion: number },
  ): Promise<{ address: string; at: Date } | undefined> {
    const completed = await tx`
      update recovery_processes p set state = 'completed', attempt_id = null, attempt_ends_at = null
      where id = ${attempt.id} and recovery_state(p) = 'verified' and attempt_id = ${attempt.attemptId}`
    if (completed.count !== 1) return undefined
    const rows = await tx<{ address: string; at: Date }[]>`
      update wallets set polynomial_version = ${attempt.toVersion}, updated_at = date_trunc('milliseconds', app_now())
      where id = ${attempt.walletId} and polynomial_version = ${attempt.fromVersion}
      returning address, updated_at as at`
    await tx`
      delete from recovery_offers where wallet_id = ${attempt.walletId} and polynomial_version <= ${attempt.toVersion}`
    return rows[0]
  },

  /** Queues a mail that leaves whenever it can. */
  async queueMail(tx: Queryable, mail: MailRow): Promise<void> {
    await tx`
      insert into outbox (id, kind, sealed_payload, next_attempt_at)
      values (${mail.id}, 'mail', ${mail.sealedPayload}, app_now())`
  },
}
