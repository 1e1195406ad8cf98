import type { Queryable } from '../../db/pool.ts'
import type { OutboxKind, SealedRow } from './outbox.ts'

/** Inserts a sealed message, due at once and until it is sent. Part of the transaction that causes it; nudge after the commit. */
export async function enqueue(tx: Queryable, kind: OutboxKind, row: SealedRow): Promise<void> {
  await tx`
    insert into outbox (id, kind, sealed_payload, next_attempt_at)
    values (${row.id}, ${kind}, ${row.sealedPayload}, app_now())`
}
