import type { AgentOutcome, DecisionRecord } from './decision-record.ts'

/** The number by which the database knows an outcome. */
export const outcomeCodes: Record<AgentOutcome, number> = { allowed: 0, rejected: 1, error: 2 }

/** The counts that a batch adds to a session or a run, by `outcomeCodes`. */
export type Tally = { owner: string; counts: [number, number, number] }

/** An event's ranks within its batch, from 1: among those of its session (and outcome), and of its run. */
export type DecisionRanks = { session: number; sessionOutcome: number; run: number; runOutcome: number }

/** Ranks the decisions of a batch; the database adds the ranks before it, so that they stay dense. Tallies come in the order of their ids. */
export function decisionRanks(decisions: readonly DecisionRecord[]): {
  tallies: Tally[]
  ranks: DecisionRanks[]
} {
  const byOwner = new Map<string, Tally>()
  const count = (owner: string, outcome: AgentOutcome): [number, number] => {
    let tally = byOwner.get(owner)
    if (tally === undefined) {
      tally = { owner, counts: [0, 0, 0] }
      byOwner.set(owner, tally)
    }
    const { counts } = tally
    const code = outcomeCodes[outcome] as 0 | 1 | 2
    counts[code] += 1
    return [counts[0] + counts[1] + counts[2], counts[code]]
  }
  const ranks = decisions.map(({ sessionId, runId, outcome }): DecisionRanks => {
    const [session, sessionOutcome] = count(sessionId, outcome)
    const [run, runOutcome] = runId === null ? [0, 0] : count(runId, outcome)
    return { session, sessionOutcome, run, runOutcome }
  })
  const tallies = [...byOwner.values()].sort((a, b) => (a.owner < b.owner ? -1 : 1))
  return { tallies, ranks }
}
