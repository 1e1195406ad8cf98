import type { Sql } from '../../db/pool.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { type Poller, poller, wokenPeriodMs } from '../../runtime/poller.ts'
import { auditTreeStore } from './audit-tree.store.ts'
import { extendTree, rowLength } from './audit-tree.ts'

const organizationsPerPass = 16
const budgetMs = 1_000

/** The context for hashing audit logs. */
export type AuditTreeWorkerCtx = { sql: Sql; clock: Clock; log: Log }

/** Keeps the roots over full rows up to date beside the requests, so that a head of a long log is a few short reads. */
export type AuditTreeWorker = Poller

/** Makes the worker. Several processes may run one each: they compute the same roots, and each is stored once. */
export function auditTreeWorker(ctx: AuditTreeWorkerCtx): AuditTreeWorker {
  let isStopped = false
  const { start, nudge, stop } = poller({
    periodMs: wokenPeriodMs,
    pass: () => extendLagging(ctx, () => isStopped),
    onError: (error) => ctx.log.warn({ err: error }, 'no audit log could be hashed'),
  })
  return {
    start() {
      isStopped = false
      start()
    },
    nudge,
    stop() {
      isStopped = true
      return stop()
    },
  }
}

/** Hashes the logs of organizations that lag behind, until `isStopped`. */
export async function extendLagging(
  { sql, clock, log }: AuditTreeWorkerCtx,
  isStopped: () => boolean,
): Promise<void> {
  for (const organizationId of await auditTreeStore.lagging(sql, rowLength, organizationsPerPass)) {
    if (isStopped()) return
    const size = (await auditTreeStore.size(sql, organizationId)) ?? 0
    await extendTree({ sql, organizationId }, size, budgetMs, clock.nowMs).catch((error: unknown) =>
      log.error({ err: error, organizationId }, 'the audit log could not be hashed'),
    )
  }
}
