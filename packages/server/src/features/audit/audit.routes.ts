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
import {
  type AuditProofsCtx,
  checkpoint,
  exportLog,
  proveConsistency,
  proveInclusion,
} from './audit-proofs.ts'
import { wireEvent } from './export-line.ts'

/** The audit log as members read and check it. Reading writes no event. */
export const auditRoutes = (list: AuditList, ctx: AuditProofsCtx) => [
  on(listAuditEvents, async ({ principal, query }) => {
    const { limit, offset } = query
    const type = auditEventTypes.find((name) => name === query.event_type)
    // An unknown type has no events.
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
  on(getAuditCheckpoint, ({ principal }) => checkpoint(ctx, principal.organization.id)),
  on(getAuditProof, ({ principal, params, query }) =>
    proveInclusion(ctx, principal.organization.id, { eventId: params.eventID, size: query.tree_size }),
  ),
  on(getAuditConsistency, ({ principal, query }) => proveConsistency(ctx, principal.organization.id, query)),
  on(exportAuditLog, ({ principal, query }) =>
    exportLog(ctx, principal.organization.id, {
      size: query.tree_size,
      withCheckpoint: query.checkpoint === true,
    }),
  ),
]
