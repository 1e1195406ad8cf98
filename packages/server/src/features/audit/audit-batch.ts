import { auditEventTypes } from '@symbolon/api'
import type { Entry } from './audit.ts'

const typeIndex = new Map<string, number>(auditEventTypes.map((type, i) => [type, i]))

type Sums = { o: string; total: number; succeeded: number; told: number; by_type: number[] }

/**
 * Prepares entries for `commit_events`: ranks within the batch (over all, by type, by outcome, by both) and the sums per
 * organization that the counters grow by. The database adds the ranks to what is there: both stay dense.
 */
export function auditBatch(entries: readonly Entry[]): { batch: string; events: string } {
  const sums = new Map<string, Sums>()
  const events = entries.map(({ id, event, guard, missedTold }, i) => {
    const o = event.organizationId
    let sum = sums.get(o)
    if (sum === undefined) {
      sum = { o, total: 0, succeeded: 0, told: 0, by_type: new Array(2 * auditEventTypes.length).fill(0) }
      sums.set(o, sum)
    }
    const t = typeIndex.get(event.type) ?? -1
    const outcome = 2 * t + (event.success ? 1 : 0)
    sum.total += 1
    sum.told += missedTold ?? 0
    if (event.success) sum.succeeded += 1
    sum.by_type[outcome] = (sum.by_type[outcome] ?? 0) + 1
    return {
      i,
      o,
      r: sum.total,
      rt: (sum.by_type[2 * t] ?? 0) + (sum.by_type[2 * t + 1] ?? 0),
      rs: event.success ? sum.succeeded : sum.total - sum.succeeded,
      rts: sum.by_type[outcome],
      t,
      s: event.success,
      id,
      u: event.userIdentityId,
      w: event.walletId,
      at: event.actorType,
      ai: event.actorId,
      p: event.payload ?? {},
      e: event.errorCode ?? '',
      gw: guard?.walletId,
      gk: guard?.apiKeyId,
      gj: guard?.token?.hash,
      gx: guard?.token?.expiresAt,
      gm: missedTold,
    }
  })
  return { batch: JSON.stringify([...sums.values()]), events: JSON.stringify(events) }
}
