import type { Queryable } from '../../../db/pool.ts'

/** The runs that requests are made for. */
export const askingRunsStore = {
  /** Whether a run has ended, or is none. */
  async isOver(sql: Queryable, runId: string): Promise<boolean> {
    const rows = await sql`select from agent_runs where id = ${runId} and ended_at is null`
    return rows.length === 0
  },
}
