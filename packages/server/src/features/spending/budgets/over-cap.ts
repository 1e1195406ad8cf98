import type { Refusal, Spend } from '@symbolon/policy'
import type { Standing } from './budgets.store.ts'

/**
 * The refusal of spends that go over a cap of their counters: the organization's caps first, then the others in their order.
 * `isHeld`: the counters hold the spends already.
 */
export function overCap(spends: readonly Spend[], standings: readonly Standing[], isHeld: boolean): Refusal {
  const sums = spends.map((spend) => {
    const standing = standings.find(({ counter }) => counter === spend.counter)
    const used = standing === undefined ? 0n : standing.spent + standing.reserved
    return { ...spend, sum: isHeld ? used : used + spend.amount }
  })
  const caps = sums.flatMap(({ caps: all, sum }) => all.map((cap) => ({ ...cap, sum })))
  const ofOrganization = caps.filter(({ layer }) => layer === 'organization')
  const ofOthers = caps.filter(({ layer }) => layer !== 'organization')
  const over = [...ofOrganization, ...ofOthers].find(({ max, sum }) => sum > max)
  if (over === undefined) return overCounter(sums)
  const { reason, layer, rule, max, sum } = over
  return { reason, layer, rule, limit: max.toString(), actual: sum.toString() }
}

// As the policy says it of one payload that is more than any counter holds: numeric(78, 0).
const counterMax = 10n ** 78n - 1n

function overCounter(sums: readonly { counter: string; sum: bigint }[]): Refusal {
  const full = sums.find(({ sum }) => sum > counterMax)
  const isToken = full?.counter.startsWith('token ') === true
  return {
    reason: isToken ? 'token_cap_exceeded' : 'total_cap_exceeded',
    layer: 'organization',
    rule: isToken ? 'allowed_tokens' : 'max_spend_total_native',
    limit: counterMax.toString(),
    actual: full === undefined ? null : full.sum.toString(),
  }
}
