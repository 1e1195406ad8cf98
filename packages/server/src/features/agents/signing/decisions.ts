import { ApiError } from '@symbolon/api'
import type { Attempts } from '../../../db/attempts.ts'
import { coalesce } from '../../../db/coalesce.ts'
import { isDatabaseUnavailable, type Sql } from '../../../db/pool.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Audit } from '../../audit/index.ts'
import type { BrokenDecision, DecisionRecord } from './decision-record.ts'
import { decisionsStore } from './decisions.store.ts'

/** Commits decisions on signing requests. */
export type Decisions = {
  /**
   * Writes the request's event, its audit event and what it spends, if the guard holds; only then may a signature leave. A broken guard is
   * returned, and nothing of the decision was written. Throws `unavailable` when the database is out of reach.
   */
  commit(decision: DecisionRecord): Promise<BrokenDecision | undefined>
}

/** The context for committing decisions. */
export type DecisionsCtx = {
  sql: Sql
  ids: Ids
  audit: Pick<Audit, 'reportGap'>
  attempts: Pick<Attempts, 'current'>
}

const decisionsMax = 256

/** Commits the decisions of concurrent requests in one statement, of an organization one batch at a time: what arrives meanwhile is the next one. */
export function decisions(ctx: DecisionsCtx): Decisions {
  const commit = coalesce<DecisionRecord, Committed>({
    run: (batch) => commitAll(ctx, batch),
    batchMax: decisionsMax,
    inFlightMax: 4,
    laneOf: ({ organizationId }) => organizationId,
  })
  return {
    async commit(decision) {
      const attempt = ctx.attempts.current()
      const hasSucceeded = decision.outcome === 'allowed'
      const outcome = await commit(
        attempt ? { ...decision, attempt: { ...attempt, hasSucceeded } } : decision,
      )
      if (outcome instanceof Error) throw outcome
      return outcome
    },
  }
}

type Committed = BrokenDecision | undefined | Error

/** Commits a batch; decisions that the database refuses fail alone. */
async function commitAll(ctx: DecisionsCtx, batch: DecisionRecord[]): Promise<Committed[]> {
  try {
    return await commitUnbroken(ctx, batch)
  } catch (error) {
    if (isDatabaseUnavailable(error) || batch.length === 1) throw errorOf(error)
    const outcomes: Committed[] = []
    for (const decision of batch) {
      outcomes.push(await commitUnbroken(ctx, [decision]).then(([outcome]) => outcome, errorOf))
    }
    return outcomes
  }
}

/** Drops the decisions whose guard is broken, and sends the others again. */
async function commitUnbroken(
  ctx: DecisionsCtx,
  batch: DecisionRecord[],
): Promise<(BrokenDecision | undefined)[]> {
  const outcomes: (BrokenDecision | undefined)[] = batch.map(() => undefined)
  let sent = batch.map((decision, position) => ({ decision, position }))
  while (sent.length > 0) {
    const { broken, owing } = await send(
      ctx,
      sent.map(({ decision }) => decision),
    )
    for (const { organizationId, missed } of owing) ctx.audit.reportGap(organizationId, missed)
    if (broken.size === 0) break
    for (const [i, reason] of broken) {
      const at = sent[i]
      if (at !== undefined) outcomes[at.position] = reason
    }
    sent = sent.filter((_, i) => !broken.has(i))
  }
  return outcomes
}

function send({ sql, ids }: DecisionsCtx, batch: DecisionRecord[]) {
  const entries = batch.flatMap(({ audit: event, attempt }) =>
    event === undefined ? [] : [{ id: ids.next(), event, ...(attempt && { attempt }) }],
  )
  const eventIds = batch.map(() => ids.next())
  return decisionsStore.commit(sql, batch, eventIds, entries)
}

const errorOf = (error: unknown): Error => {
  if (isDatabaseUnavailable(error)) return new ApiError('unavailable', { cause: error })
  return error instanceof Error ? error : new Error('A decision could not be committed.', { cause: error })
}
