import {
  auditEventTypes,
  exportAuditLog,
  getAuditCheckpoint,
  getAuditConsistency,
  getAuditProof,
  listAuditEvents,
} from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { AuditList } from './audit-list.ts'
import type { AuditProofs } from './audit-proofs.ts'
import { wireEvent } from './export-line.ts'

/** The audit log as members read and check it. Reading writes no event. */
export const auditRoutes = (list: AuditList, proofs: AuditProofs) => [
  on(listAuditEvents, async ({ principal, query }) => {
    const { limit, offset } = query
    const type = auditEventTypes.find((name) => name === query.event_type)
    // A type that there is not has no events.
    if (query.event_type !== undefined && type === undefined) return { items: [], total: 0, limit, offset }
    const { items, total } = await list({
      organizationId: principal.organization.id,
      limit,
      offset,
      ...(type !== undefined && { type }),
      ...(query.success !== undefined && { isSuccess: query.success }),
      ...(query.actor_id !== undefined && { actorId: query.actor_id }),
      ...(query.wallet_id !== undefined && { walletId: query.wallet_id }),
      ...(query.from !== undefined && { from: query.from }),
      ...(query.to !== undefined && { to: query.to }),
    })
    return { items: items.map((event) => wireEvent(principal.organization.id, event)), total, limit, offset }
  }),
  on(getAuditCheckpoint, async ({ principal, fail }) => proofs.checkpoint(principal.organization.id, fail)),
  on(getAuditProof, async ({ principal, params, query, fail }) =>
    proofs.inclusion(principal.organization.id, { eventId: params.eventID, size: query.tree_size }, fail),
  ),
  on(getAuditConsistency, async ({ principal, query, fail }) =>
    proofs.consistency(principal.organization.id, query, fail),
  ),
  on(exportAuditLog, async ({ principal, query, fail }) =>
    proofs.export(
      principal.organization.id,
      { size: query.tree_size, withCheckpoint: query.checkpoint === true },
      fail,
    ),
  ),
]
