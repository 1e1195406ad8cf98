import type { Sql } from '../db/pool.ts'
import type { Audit } from '../features/audit/index.ts'
import type { BuildCtx } from '../features/userops/build-userop.ts'
import { outcomeWaiters } from '../features/userops/outcome-waiters.ts'
import { settlementWorker } from '../features/userops/settlement-worker.ts'
import type { SubmitCtx } from '../features/userops/submit-userop.ts'
import { type UserOpTimes, usualTimes } from '../features/userops/userops.ts'
import type { FairTurns } from '../runtime/fair-turns.ts'
import type { Poller } from '../runtime/poller.ts'
import type { Ports } from './app-ports.ts'

/** The parts that user operations run on; `worker` runs beside the requests, `stopWaiting` answers those who wait for a chain at once. */
export type UserOps = {
  sql: Sql
  building: BuildCtx
  submitting: SubmitCtx
  stopWaiting(): void
  worker: Poller
}

/** Wires operations of smart accounts, from the build to the settlement. */
export function wireUserOps(
  { sql, evm: chains, prices, random, ids, chainMetrics: metrics, log }: Ports,
  { audit, processId: holder, turns }: { audit: Audit; processId: string; turns: FairTurns },
  { waitMs, resendSeconds, roundMs }: UserOpTimes = usualTimes,
): UserOps {
  const settlement = { sql, metrics, log, resendSeconds, holder }
  const waiters = outcomeWaiters(settlement)
  return {
    sql,
    building: { sql, chains, prices, random, ids, turns },
    submitting: { settlement, chains, ids, audit, waiters, waitMs },
    stopWaiting: waiters.stop,
    worker: settlementWorker(settlement, chains, { roundMs }),
  }
}
