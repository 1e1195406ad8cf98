import { ApiError } from '@symbolon/api'
import { coalesce } from '../../../db/coalesce.ts'
import { isDatabaseUnavailable, type Sql } from '../../../db/pool.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Audit } from '../../audit/index.ts'
import type { BrokenDecision, DecisionRecord } from './decision-record.ts'
import { decisionsStore } from './decisions.store.ts'

/** Commits decisions on attempts. */
export type Decisions = {
  /**
   * Writes the attempt's event, its audit event and what it spends, if the guard holds; only then may a signature leave. What is
   * broken is answered, and nothing of the decision was written. Throws `unavailable` when the database cannot tell.
   */
  commit(decision: DecisionRecord): Promise<BrokenDecision | undefined>
}

const decisionsMax = 256

/** Commits the decisions of concurrent requests in one statement, one batch at a time: what arrives meanwhile is the next one. */
export function decisions({
  sql,
  ids,
  audit,
}: {
  sql: Sql
  ids: Ids
  audit: Pick<Audit, 'tellGap'>
}): Decisions {
  const commit = coalesce<DecisionRecord, Committed>({
    run: commitAll,
    batchMax: decisionsMax,
    inFlightMax: 1,
  })

  async function commitAll(batch: DecisionRecord[]): Promise<Committed[]> {
    try {
      return await commitUnbroken(batch)
    } catch (error) {
      if (isDatabaseUnavailable(error) || batch.length === 1) throw failure(error)
      // One that the database does not take must not take its neighbours along.
      const answers: Committed[] = []
      for (const decision of batch) {
        answers.push(await commitUnbroken([decision]).then(([answer]) => answer, failure))
      }
      return answers
    }
  }

  /** A broken one drops out, and the others are sent again. */
  async function commitUnbroken(batch: DecisionRecord[]): Promise<(BrokenDecision | undefined)[]> {
    const answers: (BrokenDecision | undefined)[] = batch.map(() => undefined)
    let sent = batch.map((decision, position) => ({ decision, position }))
    while (sent.length > 0) {
      const { broken, owing } = await send(sent.map(({ decision }) => decision))
      for (const { organizationId, missed } of owing) audit.tellGap(organizationId, missed)
      if (broken.size === 0) break
      for (const [i, reason] of broken) {
        const at = sent[i]
        if (at !== undefined) answers[at.position] = reason
      }
      sent = sent.filter((_, i) => !broken.has(i))
    }
    return answers
  }

  function send(batch: DecisionRecord[]) {
    const entries = batch.flatMap(({ audit: event }) =>
      event === undefined ? [] : [{ id: ids.next(), event }],
    )
    const eventIds = batch.map(() => ids.next())
    return decisionsStore.commit(sql, batch, eventIds, entries)
  }

  return {
    async commit(decision) {
      const answer = await commit(decision)
      if (answer instanceof Error) throw answer
      return answer
    },
  }
}

type Committed = BrokenDecision | undefined | Error

const failure = (error: unknown): Error => {
  if (isDatabaseUnavailable(error)) return new ApiError('unavailable', { cause: error })
  return error instanceof Error ? error : new Error('A decision could not be committed.', { cause: error })
}
