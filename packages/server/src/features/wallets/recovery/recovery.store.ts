import type { RecoveryState } from '@symbolon/api'
import type { Curve } from '@symbolon/networks'
import type { Queryable } from '../../../db/pool.ts'
import type { CodeSubject } from '../../mailed-codes/index.ts'
import type { SealedRow } from '../../outbox/index.ts'
import type { Device } from '../delay/delay.ts'
import type { Claim, Claimed } from '../shares/share-versions.store.ts'

/** A recovery process with its wallet. */
export type RecoveryProcess = {
  id: string
  organizationId: string
  userIdentityId: string
  walletId: string
  curve: Curve
  walletStatus: 'active' | 'archived'
  email: string
  state: RecoveryState
  /** The device that opened it. */
  device: Device
  readyAt: Date | null
  expiresAt: Date
}

/** A new row of `recovery_processes`. The database sets its times. */
type NewProcess = Pick<
  RecoveryProcess,
  'id' | 'organizationId' | 'userIdentityId' | 'walletId' | 'email' | 'device'
> & {
  salt: Uint8Array
  codeHash: Uint8Array
}

/** The statements of recovery. Every time in them is the database's. */
export const recoveryStore = {
  /** The processes that the caps on starting count. */
  startsOf: (walletId: string): CodeSubject => ({
    place: 'recovery',
    where: (sql) => sql`wallet_id = ${walletId}`,
  }),

  /** Ends the open and verified processes of the wallet; those that wait only if the device opened them or `endsDelayed`. */
  async endAll(
    tx: Queryable,
    { walletId, device, endsDelayed }: { walletId: string; device: Device; endsDelayed: boolean },
  ): Promise<void> {
    await tx`
      with ended as (
        update recovery_processes
        set state = case when attempts >= 5 and state <> 'verified' then 'locked' else 'expired' end
        where wallet_id = ${walletId} and (state in ('open', 'verified')
          or state = 'delayed' and (${endsDelayed} or device_hash = ${device}))
        returning ready_mail_id)
      delete from outbox o using ended where o.id = ended.ready_mail_id`
  },

  /** Ends the wallet's earlier process and starts one of 15 min, whose code lives as long; queues the email with the code. */
  async start(
    tx: Queryable,
    { endsDelayed, ...process }: NewProcess & { endsDelayed: boolean },
    mail: SealedRow,
  ): Promise<void> {
    await recoveryStore.endAll(tx, { ...process, endsDelayed })
    await tx`
      with clock as materialized (select app_now() as now),
      process as (
        insert into recovery_processes (id, organization_id, user_identity_id, wallet_id, email, salt, code_hash, device_hash,
          code_expires_at, expires_at, created_at)
        select ${process.id}, ${process.organizationId}, ${process.userIdentityId}, ${process.walletId}, ${process.email},
          ${process.salt}, ${process.codeHash}, ${process.device}, now + interval '15 minutes', now + interval '15 minutes', now from clock
        returning code_expires_at, created_at)
      insert into outbox (id, kind, organization_id, sealed_payload, next_attempt_at, expires_at)
      select ${mail.id}, 'mail', ${process.organizationId}, ${mail.sealedPayload}, created_at, code_expires_at from process`
  },

  /** The user's process, with its current state. */
  async find(
    sql: Queryable,
    { organizationId, identityId, id }: { organizationId: string; identityId: string; id: string },
  ): Promise<RecoveryProcess | undefined> {
    const rows = await sql<RecoveryProcess[]>`
      select p.id, p.organization_id as "organizationId", p.user_identity_id as "userIdentityId",
        p.wallet_id as "walletId", w.curve, w.status as "walletStatus", p.email, recovery_state(p) as state, p.device_hash as device, p.ready_at as "readyAt", p.expires_at as "expiresAt"
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

  /**
   * Turns the process, open or ready, into a verified one; `false` for all but one of several requests with the right code. One that
   * waited has 15 min from now, and ends the wallet's other one.
   */
  async verify(tx: Queryable, id: string): Promise<boolean> {
    await tx`
      update recovery_processes o set state = 'expired' from recovery_processes p
      where p.id = ${id} and p.state = 'delayed' and p.ready_at <= app_now() and p.expires_at > app_now()
        and o.wallet_id = p.wallet_id and o.id <> p.id and o.state in ('open', 'verified')`
    const result = await tx`
      update recovery_processes set state = 'verified',
        expires_at = case when state = 'open' then expires_at else app_now() + interval '15 minutes' end
      where id = ${id} and expires_at > app_now() and (state = 'open' or state = 'delayed' and ready_at <= app_now())`
    return result.count === 1
  },

  /** Reserves the process for one attempt to complete it; see `claim_recovery`. */
  async claim(
    sql: Queryable,
    { id, ...claim }: Claim & { id: string },
  ): Promise<Claimed<RecoveryState | 'busy'>> {
    const rows = await sql<Claimed<RecoveryState | 'busy'>[]>`
      select state, version, is_new_offer as "isNewOffer" from claim_recovery(
        process => ${id}, attempt => ${claim.attemptId}, offered_hash => ${claim.shareHash},
        lease => ${claim.leaseMs} * interval '1 millisecond', holder => ${claim.holder})`
    const row = rows[0]
    if (row === undefined) throw new Error('A claim returned no row.')
    return row
  },

  /** Ends an attempt's reservation. */
  async unclaim(sql: Queryable, { id, attemptId }: { id: string; attemptId: string }): Promise<void> {
    await sql`
      update recovery_processes set attempt_id = null, attempt_ends_at = null, held_by = null
      where id = ${id} and attempt_id = ${attemptId} and state = 'verified'`
  },

  /** Completes the process for the attempt that holds it; `false` when it no longer does. */
  async complete(tx: Queryable, attempt: { id: string; attemptId: string }): Promise<boolean> {
    const result = await tx`
      update recovery_processes p set state = 'completed', attempt_id = null, attempt_ends_at = null, held_by = null
      where id = ${attempt.id} and recovery_state(p) = 'verified' and attempt_id = ${attempt.attemptId}`
    return result.count === 1
  },
}
