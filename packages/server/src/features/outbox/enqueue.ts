import type { Queryable } from '../../db/pool.ts'
import type { OutboxKind, SealedRow } from './outbox.ts'

// Messages that belong to no organization take turns as one more.
const platformId = '00000000-0000-0000-0000-000000000000'

/**
 * Inserts a sealed message of an organization, due at once and until it is sent. Part of the transaction that causes it; nudge after the
 * commit. Organizations take turns: thousands of messages of one delay none of another.
 */
export async function enqueue(
  tx: Queryable,
  kind: OutboxKind,
  row: SealedRow,
  organizationId: string = platformId,
): Promise<void> {
  await tx`
    insert into outbox (id, kind, organization_id, sealed_payload, next_attempt_at)
    values (${row.id}, ${kind}, ${organizationId}, ${row.sealedPayload}, app_now())`
}
