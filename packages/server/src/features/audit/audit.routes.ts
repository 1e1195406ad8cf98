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
  on(listAuditEvents, async ({ caller, query }) => {
    const { limit, offset } = query
    const type = auditEventTypes.find((name) => name === query.event_type)
    // A type that there is not has no events.
    if (query.event_type !== undefined && type === undefined) return { items: [], total: 0, limit, offset }
    const { items, total } = await list({
      organizationId: caller.organization.id,
      limit,
      offset,
      ...(type !== undefined && { type }),
      ...(query.success !== undefined && { isSuccess: query.success }),
      ...(query.actor_id !== undefined && { actorId: query.actor_id }),
      ...(query.wallet_id !== undefined && { walletId: query.wallet_id }),
      ...(query.from !== undefined && { from: query.from }),
      ...(query.to !== undefined && { to: query.to }),
    })
    return { items: items.map((event) => wireEvent(caller.organization.id, event)), total, limit, offset }
  }),
  on(getAuditCheckpoint, async ({ caller, fail }) => proofs.checkpoint(caller.organization.id, fail)),
  on(getAuditProof, async ({ caller, params, query, fail }) =>
    proofs.inclusion(caller.organization.id, { eventId: params.eventID, size: query.tree_size }, fail),
  ),
  on(getAuditConsistency, async ({ caller, query, fail }) =>
    proofs.consistency(caller.organization.id, query, fail),
  ),
  on(exportAuditLog, async ({ caller, query, fail }) =>
    proofs.export(
      caller.organization.id,
      { size: query.tree_size, withCheckpoint: query.checkpoint === true },
      fail,
    ),
  ),
]
