import type { Queryable } from '../../../db/pool.ts'
import type { CodePlace } from '../../mailed-codes/index.ts'
import type { SealedRow } from '../../outbox/index.ts'

/** What the organization asks of those who take keys out. */
export type HighRiskSettings = { delaySeconds: number; isExportEnabled: boolean }

/** A process that is about to be carried out. `isReady`: it waited, and its time has come. */
export type HeldProcess = { state: string; readyAt: Date | null; isReady: boolean }

/** How far a process is; `isCanceled`: by a link of its emails. */
export type LinkedProcess = { state: string; isCanceled: boolean }

/** A process that was canceled. */
export type CanceledProcess = {
  id: string
  kind: 'recovery' | 'export' | 'import'
  userIdentityId: string
  walletId: string
}

const tables = { recovery: 'recovery_processes', transfer: 'key_transfers' } as const
const stateOf = { recovery: 'recovery_state', transfer: 'key_transfer_state' } as const
const kindOf = { recovery: "'recovery'", transfer: 'p.kind' } as const
const until = "r.ready_at + interval '24 hours'"
const newEnds = {
  recovery: `expires_at = ${until}, code_expires_at = ${until}`,
  transfer: `expires_at = ${until}`,
} as const

/** The statements of processes that wait. Every time in them is the database's. */
export const delayStore = {
  async settings(sql: Queryable, organizationId: string): Promise<HighRiskSettings> {
    const rows = await sql<HighRiskSettings[]>`
      select high_risk_delay_seconds as "delaySeconds", export_enabled as "isExportEnabled"
      from organizations where id = ${organizationId}`
    const row = rows[0]
    if (row === undefined) throw new Error('The organization does not exist.')
    return row
  },

  /** The process, locked until the transaction ends. */
  async lock(tx: Queryable, place: CodePlace, id: string): Promise<HeldProcess | undefined> {
    const rows = await tx<HeldProcess[]>`
      select state, ready_at as "readyAt", coalesce(ready_at <= app_now(), false) as "isReady"
      from ${tx.identifier(tables[place])} where id = ${id} for update`
    return rows[0]
  },

  /**
   * Turns the open process into one that waits, gives its guess back, and queues the email of the moment when it is ready. Returns that
   * moment; undefined when the process is no longer open.
   */
  async delay(
    tx: Queryable,
    place: CodePlace,
    { id, delaySeconds, readyMail }: { id: string; delaySeconds: number; readyMail: SealedRow },
  ): Promise<Date | undefined> {
    const rows = await tx<{ readyAt: Date }[]>`
      with r as materialized (
        select date_trunc('milliseconds', app_now()) + ${delaySeconds} * interval '1 second' as ready_at),
      delayed as (
        update ${tx.identifier(tables[place])} p
        set state = 'delayed', attempts = greatest(attempts - 1, 0), ready_at = r.ready_at, ready_mail_id = ${readyMail.id},
          ${tx.unsafe(newEnds[place])}
        from r where p.id = ${id} and p.state = 'open' and p.expires_at > app_now()
        returning p.organization_id, p.ready_at, p.expires_at),
      mail as (
        insert into outbox (id, kind, organization_id, sealed_payload, next_attempt_at, expires_at)
        select ${readyMail.id}, 'mail', organization_id, ${readyMail.sealedPayload}, ready_at, expires_at from delayed)
      select ready_at as "readyAt" from delayed`
    return rows[0]?.readyAt
  },

  /** The process that a link cancels, as it is; undefined for one that was deleted. */
  async linked(sql: Queryable, place: CodePlace, id: string): Promise<LinkedProcess | undefined> {
    const rows = await sql<LinkedProcess[]>`
      select ${sql.identifier(stateOf[place])}(p) as state, canceled_at is not null as "isCanceled"
      from ${sql.identifier(tables[place])} p where p.id = ${id}`
    return rows[0]
  },

  /** Ends the process, unless it is over, and takes back the email of the moment when it would have been ready. */
  async cancel(tx: Queryable, place: CodePlace, id: string): Promise<CanceledProcess | undefined> {
    const [canceled] = await cancelWhere(tx, place, tx`p.id = ${id}`)
    return canceled
  },

  /**
   * As `cancel`, for all that a forgotten device began: what names it, and what names no device that the user was mailed about and kept. A
   * token of its login may have begun that under any name, or none.
   */
  cancelOfForgotten(
    tx: Queryable,
    place: CodePlace,
    {
      organizationId,
      identityId,
      nonceHash,
    }: { organizationId: string; identityId: string; nonceHash: Uint8Array | null },
  ): Promise<CanceledProcess[]> {
    return cancelWhere(
      tx,
      place,
      tx`p.organization_id = ${organizationId} and p.user_identity_id = ${identityId} and (
        p.device_hash is null or p.device_hash = ${nonceHash}::bytea or not exists (
          select from devices d
          where d.organization_id = p.organization_id and d.user_identity_id = p.user_identity_id
            and d.nonce_hash = p.device_hash and d.forgotten_at is null and d.mailed_at is not null))`,
    )
  },
}

/** Cancels the processes that satisfy the condition and are not over. */
async function cancelWhere(
  tx: Queryable,
  place: CodePlace,
  condition: ReturnType<Queryable>,
): Promise<CanceledProcess[]> {
  return tx<CanceledProcess[]>`
    with canceled as (
      update ${tx.identifier(tables[place])} p set state = 'expired', canceled_at = app_now()
      where ${condition} and ${tx.identifier(stateOf[place])}(p) in ('open', 'delayed', 'verified')
      returning p.id, ${tx.unsafe(kindOf[place])} as kind, p.user_identity_id, p.wallet_id, p.ready_mail_id),
    mail as (delete from outbox o using canceled where o.id = canceled.ready_mail_id)
    select id, kind, user_identity_id as "userIdentityId", wallet_id as "walletId" from canceled order by id`
}
