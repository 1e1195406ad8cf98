import type { Queryable } from '../../db/pool.ts'
import type { OutboxKind } from './outbox.ts'

/** A row that a worker holds until its lease ends; `attempts` counts this attempt and identifies the lease. */
export type Claimed = {
  id: string
  sealedPayload: Uint8Array
  attempts: number
  isExpiring: boolean
  organizationId: string
}

/** The rows that a worker already holds, by organization, and how many of its places one organization may fill. */
export type Turns = { held: ReadonlyMap<string, number>; share: number }

/** The statements of outbox workers. All times are the database's. */
export const outboxStore = {
  /** Deletes expired rows and claims up to `rowsMax` due rows of a kind for `leaseMs`, or until the process `holder` is dead; organizations in
   * turn, see `claim_outbox`. */
  async claim(
    sql: Queryable,
    {
      kind,
      rowsMax,
      leaseMs,
      turns,
      holder,
    }: { kind: OutboxKind; rowsMax: number; leaseMs: number; turns: Turns; holder?: string },
  ): Promise<Claimed[]> {
    const held = [...turns.held]
    const rows = await sql<Claimed[]>`
      select id, organization_id as "organizationId", sealed_payload as "sealedPayload", attempts, is_expiring as "isExpiring"
      from claim_outbox(message_kind => ${kind}, rows_max => ${rowsMax}, lease => ${leaseMs} * interval '1 millisecond',
        busy => ${held.map(([id]) => id)}::uuid[], held => ${held.map(([, count]) => count)}::integer[], share => ${turns.share},
        holder => ${holder ?? null}::uuid)`
    return rows.map((row) => ({ ...row }))
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
