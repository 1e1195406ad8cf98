import { auditEventTypes } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'
import {
  type AuditListPage,
  type AuditListQuery,
  type EventRow,
  eventColumns,
  toRecordedEvent,
} from './audit-list.store.ts'

/** A page of what one wallet or one actor (or both) has to do with. */
export type AuditSearchQuery = AuditListQuery & { walletId?: string; actorId?: string }

/**
 * A page of the events of a wallet or an actor, newest first. There are no ranks for these: the total is counted and the
 * offset walked, both along their index, so the cost grows with the events of that wallet or actor, not with the log.
 */
export async function searchAuditEvents(sql: Queryable, query: AuditSearchQuery): Promise<AuditListPage> {
  const { organizationId, limit, offset, walletId, actorId, isSuccess, from, to } = query
  const conditions = [
    sql`e.organization_id = ${organizationId}`,
    ...(walletId === undefined ? [] : [sql`e.wallet_id = ${walletId}`]),
    ...(actorId === undefined ? [] : [sql`e.actor_id = ${actorId}`]),
    ...(query.type === undefined ? [] : [sql`e.type = ${auditEventTypes.indexOf(query.type)}`]),
    ...(isSuccess === undefined ? [] : [sql`e.success = ${isSuccess}`]),
    ...(from === undefined ? [] : [sql`e.at >= ${from}`]),
    ...(to === undefined ? [] : [sql`e.at < ${to}`]),
  ]
  const matching = conditions.reduce((all, one) => sql`${all} and ${one}`)
  const rows = await sql<(EventRow & { total: string })[]>`
    select c.total, ${sql.unsafe(eventColumns)}
    from (select count(*) as total from audit_events e where ${matching}) c
    left join lateral (
      select * from audit_events e where ${matching} order by e.n desc limit ${limit} offset ${offset}) e on true
    order by e.n desc`
  return {
    total: Number(rows[0]?.total ?? 0),
    items: rows.filter(({ id }) => id !== null).map(({ total: _, ...row }) => toRecordedEvent(row)),
  }
}
