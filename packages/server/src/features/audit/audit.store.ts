import { plainArray, textArray } from '../../db/array-literal.ts'
import type { Queryable } from '../../db/pool.ts'
import { type End, rowsOfWhole } from '../../db/sure-rows.ts'
import type { BrokenGuard, Entry } from './audit.ts'
import { auditBatch } from './audit-batch.ts'

/** What a commit answered. */
export type CommitResult = {
  /** Guards that did not hold, by position. Anything in here means that nothing was written. */
  broken: Map<number, BrokenGuard | 'gap_told'>
  /** Organizations whose missed events no gap event has told yet. */
  owing: { organizationId: string; missed: number }[]
}

/** Between the columns that `commit_events` and its kin are given. No JSON, id or word of ours holds it: JSON escapes it. */
export const columnSeparator = '\x1f'

type Row = { i: number; reason: string }

/** The audit tables' statements. */
export const auditStore = {
  /** Writes all entries with dense ranks, or none. One round trip. */
  commit: (sql: Queryable, entries: readonly Entry[]): Promise<CommitResult> => commit(sql, entries, entries),

  /** Counts an event that could not be written, and answers the guard that does not hold, if any. */
  async countMissed(sql: Queryable, entry: Entry): Promise<BrokenGuard | undefined> {
    await auditStore.addMissed(sql, entry.event.organizationId, 1)
    const { broken } = await commit(sql, [], [entry])
    return broken.get(0) as BrokenGuard | undefined
  },

  /** Counts events that were missed. */
  async addMissed(sql: Queryable, organizationId: string, missed: number): Promise<void> {
    await sql`
      update organization_counters set events_missed = events_missed + ${missed}
      where organization_id = ${organizationId}`
  },
}

/** What `commit_events` is given: it writes `entries` if the guards of `guarded` hold. */
export function eventColumns(entries: readonly Entry[], guarded: readonly Entry[]): string {
  const { organizations, sums, places } = auditBatch(entries)
  const events = entries.map(({ event }) => event)
  const at = (has: (entry: Entry) => boolean) => guarded.flatMap((entry, i) => (has(entry) ? [i] : []))
  const of = (positions: number[], value: (entry: Entry) => string | number | undefined) =>
    plainArray(positions.map((i) => value(guarded[i] as Entry)))
  const wallets = at(({ guard }) => guard?.walletId !== undefined)
  const keys = at(({ guard }) => guard?.apiKeyId !== undefined)
  const tokens = at(({ guard }) => guard?.token !== undefined)
  const gaps = at(({ missedTold }) => missedTold !== undefined)

  return [
    plainArray(organizations),
    plainArray(sums.map(({ organization }) => organization)),
    plainArray(sums.map(({ type }) => type)),
    plainArray(sums.map(({ success }) => success)),
    plainArray(sums.map(({ count }) => count)),
    plainArray(places.map(({ organization }) => organization)),
    plainArray(places.map(({ rank }) => rank)),
    plainArray(places.map(({ rankType }) => rankType)),
    plainArray(places.map(({ rankSuccess }) => rankSuccess)),
    plainArray(places.map(({ rankTypeSuccess }) => rankTypeSuccess)),
    plainArray(places.map(({ type }) => type)),
    plainArray(events.map(({ success }) => success)),
    plainArray(entries.map(({ id }) => id)),
    plainArray(events.map(({ userIdentityId }) => userIdentityId)),
    plainArray(events.map(({ walletId }) => walletId)),
    textArray(events.map(({ actorType }) => actorType)),
    textArray(events.map(({ actorId }) => actorId)),
    textArray(events.map(({ payload }) => (payload === undefined ? '{}' : JSON.stringify(payload)))),
    textArray(events.map(({ errorCode }) => errorCode ?? '')),
    plainArray(wallets),
    of(wallets, ({ guard }) => guard?.walletId),
    plainArray(keys),
    of(keys, ({ guard }) => guard?.apiKeyId),
    plainArray(tokens),
    of(tokens, ({ event }) => event.organizationId),
    textArray(tokens.map((i) => `\\x${guarded[i]?.guard?.token?.hash}`)),
    textArray(tokens.map((i) => guarded[i]?.guard?.token?.expiresAt ?? '')),
    plainArray(gaps),
    of(gaps, ({ event }) => event.organizationId),
    of(gaps, ({ missedTold }) => missedTold),
  ].join(columnSeparator)
}

async function commit(
  sql: Queryable,
  entries: readonly Entry[],
  guarded: readonly Entry[],
): Promise<CommitResult> {
  const rows = await sql<(Row & End)[]>`
    select i, reason, null as "isEnd" from commit_events(${eventColumns(entries, guarded)})
    union all select null, null, true`
  const result: CommitResult = { broken: new Map(), owing: [] }
  for (const { i, reason } of rowsOfWhole(rows)) {
    if (i >= 0) result.broken.set(i, reason as BrokenGuard)
    else {
      const [organizationId = '', missed = '0'] = reason.split(' ')
      result.owing.push({ organizationId, missed: Number(missed) })
    }
  }
  return result
}
