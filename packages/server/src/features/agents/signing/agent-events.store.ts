import type { AgentEvent } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'
import { outcomeCodes } from './decision-ranks.ts'
import type { AgentOutcome } from './decision-record.ts'

/** A session's signing requests, or a run's. */
export type EventsOf = { sessionId: string; runId?: never } | { runId: string; sessionId?: never }

type Row = Omit<AgentEvent, 'timestamp' | 'outcome'> & { at: Date; outcome: number }

const columns = `e.id, e.at, e.session_id, e.run_id, e.chain, e.method, e.target, e.value::text, e.fee::text, e.asset, e.outcome,
  e.reason_code, e.layer, encode(e.payload_sha256, 'hex') as payload_sha256, e.tx_hash`

const outcomeNames = Object.keys(outcomeCodes) as AgentOutcome[]

/** The events of signing requests. */
export const agentEventsStore = {
  /** A page, newest first, with the exact total: ranks are dense, so nothing is counted. */
  async list(
    sql: Queryable,
    { sessionId, runId }: EventsOf,
    { limit, offset, outcome }: { limit: number; offset: number; outcome?: AgentOutcome },
  ): Promise<{ items: AgentEvent[]; total: number }> {
    const owner = sessionId ?? runId
    const tallies = await sql<{ total: string }[]>`
      select ${sql.unsafe(totalOf(outcome))}::text as total from agent_tallies where owner = ${owner}`
    const total = Number(tallies[0]?.total ?? 0)
    const newest = total - offset
    if (newest <= 0) return { items: [], total }
    const rank = `n${sessionId === undefined ? '_run' : ''}${outcome === undefined ? '' : '_outcome'}`
    const code = outcome === undefined ? null : outcomeCodes[outcome]
    const rows = await sql<Row[]>`
      select ${sql.unsafe(columns)} from agent_events e
      where ${sql.unsafe(sessionId === undefined ? 'e.run_id' : 'e.session_id')} = ${owner}
        ${code === null ? sql`` : sql`and e.outcome = ${code}`}
        and e.${sql.unsafe(rank)} > ${newest - limit} and e.${sql.unsafe(rank)} <= ${newest}
      order by e.${sql.unsafe(rank)} desc`
    return { items: rows.map(toWire), total }
  },
}

function totalOf(outcome: AgentOutcome | undefined): string {
  if (outcome === undefined) return '(allowed + rejected + failed)'
  return outcome === 'error' ? 'failed' : outcome
}

const toWire = ({ at, outcome, ...row }: Row): AgentEvent => ({
  ...row,
  timestamp: at.toISOString(),
  outcome: outcomeNames[outcome] ?? 'error',
})
