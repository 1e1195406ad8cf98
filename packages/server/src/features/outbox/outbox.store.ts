import type { Queryable } from '../../db/pool.ts'
import type { OutboxKind } from './outbox.ts'

/** A row that a worker holds until its lease ends; `attempts` counts this attempt and identifies the lease. */
export type Claimed = { id: string; sealedPayload: Uint8Array; attempts: number; isExpiring: boolean }

type ClaimedRow = { id: string; sealed_payload: Uint8Array; attempts: number; is_expiring: boolean }

/** The statements of outbox workers. All times are the database's. */
export const outboxStore = {
  /** Deletes expired rows and claims up to `rowsMax` due rows of a kind for `leaseMs`, or until the process `holder` is dead; no two
   * workers get the same row. */
  async claim(
    sql: Queryable,
    {
      kind,
      rowsMax,
      leaseMs,
      holder,
    }: { kind: OutboxKind; rowsMax: number; leaseMs: number; holder?: string },
  ): Promise<Claimed[]> {
    const rows = await sql<ClaimedRow[]>`
      with clock as materialized (select app_now() as now),
      due as materialized (
        select o.id, o.expires_at <= now as is_over from outbox o, clock
        where o.kind = ${kind} and o.next_attempt_at <= now order by o.next_attempt_at limit ${rowsMax} for update of o skip locked),
      dropped as (delete from outbox o using due where o.id = due.id and due.is_over)
      update outbox o set attempts = o.attempts + 1, next_attempt_at = now + ${leaseMs} * interval '1 millisecond',
        held_by = ${holder ?? null}::uuid
      from due, clock where o.id = due.id and due.is_over is not true
      returning o.id, o.sealed_payload, o.attempts, o.expires_at is not null as is_expiring`
    return rows.map(({ id, sealed_payload, attempts, is_expiring }) => ({
      id,
      sealedPayload: sealed_payload,
      attempts,
      isExpiring: is_expiring,
    }))
  },

  /** Deletes a row that was sent or given up. Does nothing once another worker has claimed it. */
  async remove(sql: Queryable, { id, attempts }: Claimed): Promise<void> {
    await sql`delete from outbox where id = ${id} and attempts = ${attempts}`
  },

  /** Makes a row due `delayMs` from now. */
  async postpone(sql: Queryable, { id, attempts }: Claimed, delayMs: number): Promise<void> {
    await sql`update outbox set next_attempt_at = app_now() + ${delayMs} * interval '1 millisecond', held_by = null
      where id = ${id} and attempts = ${attempts}`
  },
}
