import type { Sql } from '../../db/pool.ts'
import type { Bundler } from '../../ports/bundler.ts'
import type { ChainMetrics } from '../../ports/chain-metrics.ts'
import type { Log } from '../../ports/log.ts'
import { withOwnerSignature } from './operation-json.ts'
import { type Submission, submissionsStore } from './submissions.store.ts'

/**
 * The context for settling operations. `resendSeconds`: after how long an accepted operation without confirmation is sent again; leases
 * end when the process `holder` dies.
 */
export type SettlementCtx = {
  sql: Sql
  metrics: ChainMetrics
  log: Log
  resendSeconds: number
  holder: string
}

/** The state of an operation after a submission: `open` is on its way, or may be. */
export type Submitted = { outcome: 'open' } | { outcome: 'rejected'; reason: string } | { outcome: 'unsent' }

/** The lease of a submission of a living process, after which others take it for lost: longer than a bundler's time limit. */
export const submissionLeaseMs = 15_000

/** Submits a claimed operation to its bundler and records how it went. Submitting one again does no harm. */
export async function submitToBundler(
  ctx: SettlementCtx,
  bundler: Bundler,
  submission: Submission,
  isFirst: boolean,
): Promise<Submitted> {
  const { chain, hash, operation, signature } = submission
  const { sql, metrics, log, resendSeconds } = ctx
  const sending = await bundler.send(withOwnerSignature(operation, signature), hash)
  try {
    switch (sending.outcome) {
      case 'accepted':
        if ((await submissionsStore.accepted(sql, submission, resendSeconds)) && isFirst)
          metrics.operation(chain, 'submitted')
        return { outcome: 'open' }
      case 'rejected': {
        const { reason } = sending
        log.warn({ chain, hash, reason }, 'the bundler refused an operation')
        if (await submissionsStore.rejected(sql, submission, reason)) {
          metrics.operation(chain, 'rejected')
          return { outcome: 'rejected', reason }
        }
        break
      }
      case 'unsent':
        log.warn({ err: sending.cause, chain, hash }, 'the bundler cannot be reached')
        if (isFirst && (await submissionsStore.unsent(sql, submission))) return { outcome: 'unsent' }
        break
      case 'unknown':
        log.warn({ err: sending.cause, chain, hash }, 'it is unknown whether the bundler has an operation')
        break
    }
    await submissionsStore.unknown(sql, submission)
  } catch (error) {
    // The lease ends, and the next submission finds out.
    log.warn({ err: error, chain, hash }, 'the outcome of a submission could not be recorded')
  }
  return { outcome: 'open' }
}
