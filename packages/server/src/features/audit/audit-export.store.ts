import type { Queryable } from '../../db/pool.ts'
import { type EventRow, eventColumns, type RecordedEvent, toRecordedEvent } from './audit-list.store.ts'

/** Events of an organization oldest first, from a leaf index on: `count` of them, fewer at the end of the log. */
export async function readEvents(
  sql: Queryable,
  organizationId: string,
  { from, count }: { from: number; count: number },
): Promise<RecordedEvent[]> {
  const rows = await sql<EventRow[]>`
    select ${sql.unsafe(eventColumns)} from audit_events e
    where e.organization_id = ${organizationId} and e.n > ${from} and e.n <= ${from + count}
    order by e.n`
  return rows.map(toRecordedEvent)
}

/** The leaf index of one event of the organization; undefined for another one's and for none. */
export async function leafIndexOf(
  sql: Queryable,
  organizationId: string,
  eventId: string,
): Promise<number | undefined> {
  const rows = await sql<{ rank: string }[]>`
    select n as rank from audit_events where id = ${eventId} and organization_id = ${organizationId}`
  return rows[0] === undefined ? undefined : Number(rows[0].rank) - 1
}
