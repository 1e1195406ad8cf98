import type { Queryable } from '../../../db/pool.ts'

/** The runs that signatures are requested for. */
export const askingRunsStore = {
  /** Whether a run has ended, or does not exist. */
  async isOver(sql: Queryable, runId: string): Promise<boolean> {
    const rows = await sql`select from agent_runs where id = ${runId} and ended_at is null`
    return rows.length === 0
  },
}
