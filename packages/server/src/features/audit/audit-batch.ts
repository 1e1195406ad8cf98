import { auditEventTypes } from '@symbolon/api'
import type { Entry } from './audit.ts'

const typeIndex = new Map<string, number>(auditEventTypes.map((type, i) => [type, i]))

/** The number of events that a batch adds, per organization, type and outcome. */
export type Sum = { organization: number; type: number; success: boolean; count: number }

/** An event's place: ranks among the batch's events of its organization, from 1. `organization` is a position, from 1. */
export type Place = {
  organization: number
  type: number
  rank: number
  rankType: number
  rankSuccess: number
  rankTypeSuccess: number
}

type Running = { position: number; byOutcome: Map<number, Sum>; total: number; succeeded: number }

/**
 * Ranks a batch for `commit_events`: over all, by type, by outcome and by both, within each organization. The database adds
 * the ranks to what is there, and both stay dense.
 */
export function auditBatch(entries: readonly Entry[]): {
  organizations: string[]
  sums: Sum[]
  places: Place[]
} {
  const running = new Map<string, Running>()
  const sums: Sum[] = []
  const places = entries.map(({ event: { organizationId, type: name, success } }) => {
    let own = running.get(organizationId)
    if (own === undefined) {
      own = { position: running.size + 1, byOutcome: new Map(), total: 0, succeeded: 0 }
      running.set(organizationId, own)
    }
    const type = typeIndex.get(name) ?? -1
    const outcome = 2 * type + (success ? 1 : 0)
    let sum = own.byOutcome.get(outcome)
    if (sum === undefined) {
      sum = { organization: own.position, type, success, count: 0 }
      own.byOutcome.set(outcome, sum)
      sums.push(sum)
    }
    sum.count += 1
    own.total += 1
    if (success) own.succeeded += 1
    return {
      organization: own.position,
      type,
      rank: own.total,
      rankType: sum.count + (own.byOutcome.get(outcome ^ 1)?.count ?? 0),
      rankSuccess: success ? own.succeeded : own.total - own.succeeded,
      rankTypeSuccess: sum.count,
    }
  })
  return { organizations: [...running.keys()], sums, places }
}
