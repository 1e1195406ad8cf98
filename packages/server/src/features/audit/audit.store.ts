import type { Queryable } from '../../db/pool.ts'
import { auditBatch } from './audit-batch.ts'
import type { BrokenGuard, Entry } from './audit.ts'

export type CommitResult = {
  /** Guards that did not hold, by position. Anything in here means that nothing was written. */
  broken: Map<number, BrokenGuard | 'gap_told'>
  /** Organizations whose missed events no gap event has told yet. */
  owing: { organizationId: string; missed: number }[]
}

type Row = { i: number; reason: string }

/** The audit tables' statements. */
export const auditStore = {
  /** Writes all entries with dense ranks, or none. One round trip. */
  async commit(sql: Queryable, entries: readonly Entry[]): Promise<CommitResult> {
    const { batch, events } = auditBatch(entries)
    const rows = await sql<Row[]>`select i, reason from commit_events(${batch}::text::jsonb, ${events}::text::jsonb)`
    const result: CommitResult = { broken: new Map(), owing: [] }
    for (const { i, reason } of rows) {
      if (i >= 0) result.broken.set(i, reason as BrokenGuard)
      else {
        const [organizationId = '', missed = '0'] = reason.split(' ')
        result.owing.push({ organizationId, missed: Number(missed) })
      }
    }
    return result
  },

  /** Counts an event that could not be written, and answers the guard that does not hold, if any. */
  async countMissed(sql: Queryable, entry: Entry): Promise<BrokenGuard | undefined> {
    const { events } = auditBatch([entry])
    const rows = await sql<Row[]>`
      with counted as (
        update organization_counters set events_missed = events_missed + 1
        where organization_id = ${entry.event.organizationId} returning 1)
      select g.i, g.reason from broken_guards(${events}::text::jsonb, app_now()) g, counted`
    return rows[0]?.reason as BrokenGuard | undefined
  },

  /** Adds events that were missed while the database was out of reach. */
  async addMissed(sql: Queryable, organizationId: string, missed: number): Promise<void> {
    await sql`update organization_counters set events_missed = events_missed + ${missed} where organization_id = ${organizationId}`
  },
}
