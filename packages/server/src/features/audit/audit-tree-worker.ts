import type { Sql } from '../../db/pool.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { auditTreeStore } from './audit-tree.store.ts'
import { auditTree, rowLength } from './audit-tree.ts'

const periodMs = 5_000
const organizationsPerPass = 16
const budgetMs = 1_000

/** Keeps the roots over full rows up to date beside the requests, so that a head of a long log is a few short reads. */
export type AuditTreeWorker = {
  start(): void
  /** One pass over organizations that lag behind; how many it worked on. */
  pass(): Promise<number>
  stop(): Promise<void>
}

/** Makes the worker. Several processes may run one each: they compute the same roots, and each is stored once. */
export function auditTreeWorker({ sql, clock, log }: { sql: Sql; clock: Clock; log: Log }): AuditTreeWorker {
  let isStopped = true
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()

  async function pass(): Promise<number> {
    const ids = await auditTreeStore.lagging(sql, rowLength, organizationsPerPass)
    for (const id of ids) {
      if (isStopped && timer !== undefined) break
      const size = (await auditTreeStore.size(sql, id)) ?? 0
      await auditTree(sql, id)
        .extend(size, budgetMs, clock.nowMs)
        .catch((error: unknown) =>
          log.error({ err: error, organizationId: id }, 'the audit log could not be hashed'),
        )
    }
    return ids.length
  }

  function schedule(): void {
    if (isStopped) return
    timer = setTimeout(() => {
      running = pass()
        .catch((error: unknown) => log.warn({ err: error }, 'no audit log could be hashed'))
        .finally(schedule)
    }, periodMs)
    timer.unref()
  }

  return {
    pass,
    start() {
      if (!isStopped) return
      isStopped = false
      schedule()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
