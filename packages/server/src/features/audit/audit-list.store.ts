import { type ActorType, type AuditEventType, auditEventTypes } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'

/** What a page of the log asks for; `limit` is 1..200, a filter left out matches all. */
export type AuditListQuery = {
  organizationId: string
  limit: number
  offset: number
  type?: AuditEventType
  isSuccess?: boolean
  /** ISO 8601: not before, and before. */
  from?: string
  to?: string
}

/** An event as it was recorded; `rank` counts from 1 in the organization. */
export type RecordedEvent = {
  id: string
  rank: number
  at: Date
  type: AuditEventType
  userIdentityId: string | null
  walletId: string | null
  actorType: ActorType
  actorId: string
  payload: Record<string, unknown>
  isSuccess: boolean
  errorCode: string
}

/** A page with the exact number of all events that match. */
export type AuditListPage = { items: RecordedEvent[]; total: number }

/** The columns of an event as `toRecordedEvent` reads them. */
export const eventColumns = `e.id, e.n as rank, e.at, e.type, e.user_identity_id as "userIdentityId",
  e.wallet_id as "walletId", e.actor_type as "actorType", e.actor_id as "actorId", e.payload, e.success as "isSuccess",
  e.error_code as "errorCode"`

/** An event's row. */
export type EventRow = Omit<RecordedEvent, 'rank' | 'type'> & { rank: string; type: number }

type Row = EventRow & { total: string }

/**
 * A page of an organization's events, newest first. Each filter has dense ranks of its own: the page starts at rank
 * `total - offset`, so that the cost grows with neither the offset nor the log, and the total is a counter.
 */
export async function listAuditEvents(sql: Queryable, query: AuditListQuery): Promise<AuditListPage> {
  const { organizationId, limit, offset, isSuccess } = query
  const type = query.type === undefined ? undefined : auditEventTypes.indexOf(query.type)
  const { total, rank } = countedBy(sql, type, isSuccess)
  const before = (moment: string) => sql`
    audit_rank_before(organization => ${organizationId}, of_type => ${type ?? null}::smallint,
      outcome => ${isSuccess ?? null}::boolean, total => all_events.total, moment => ${moment})`
  const rows = await sql<Row[]>`
    select c.high - c.low as total, ${sql.unsafe(eventColumns)}
    from (
      -- Of the ranks that the filter numbers, those from after 'low' to 'high' are in the range of time.
      select ${query.from === undefined ? sql`0::bigint` : before(query.from)} as low,
        ${query.to === undefined ? sql`all_events.total` : before(query.to)} as high
      from (select ${total} as total from organization_counters c where c.organization_id = ${organizationId}) all_events
      ) c
    left join lateral (
      select * from audit_events e
      where e.organization_id = ${organizationId} and ${rank} <= c.high - ${offset} and ${rank} > c.low
        ${type === undefined ? sql`` : sql`and e.type = ${type}`}
        ${isSuccess === undefined ? sql`` : sql`and e.success = ${isSuccess}`}
      order by ${rank} desc limit ${limit}) e on true
    order by e.n desc`
  return {
    // A range that ends before it begins has nothing.
    total: Math.max(0, Number(rows[0]?.total ?? 0)),
    // The total comes with every row, also with the one row of an empty page, which has no event.
    items: rows.filter(({ id }) => id !== null).map(({ total: _, ...row }) => toRecordedEvent(row)),
  }
}

/** The counter that a filter's total is, and the rank that numbers its events. */
function countedBy(sql: Queryable, type: number | undefined, isSuccess: boolean | undefined) {
  if (type === undefined) {
    if (isSuccess === undefined) return { total: sql`c.events`, rank: sql`e.n` }
    return {
      total: isSuccess ? sql`c.events_succeeded` : sql`c.events - c.events_succeeded`,
      rank: sql`e.n_success`,
    }
  }
  const counted = (slot: number) => sql`coalesce(c.events_by_type[${slot}::integer], 0)`
  const failed = counted(2 * type + 1)
  const succeeded = counted(2 * type + 2)
  if (isSuccess === undefined) return { total: sql`${failed} + ${succeeded}`, rank: sql`e.n_type` }
  return { total: isSuccess ? succeeded : failed, rank: sql`e.n_type_success` }
}

/** An event from its row. */
export function toRecordedEvent({ rank, type, ...rest }: EventRow): RecordedEvent {
  const name = auditEventTypes[type]
  if (name === undefined) throw new Error(`Event ${rest.id} has the unknown type ${type}.`)
  return { ...rest, rank: Number(rank), type: name }
}
