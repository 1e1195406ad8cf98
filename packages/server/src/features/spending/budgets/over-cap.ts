import type { Refusal, Spend } from '@symbolon/policy'
import { type SessionCounter, sumWith } from './session-counters.ts'

/**
 * The refusal of spends that exceed a cap: the organization's caps first, then the others in their order. `isIncluded`: the counters
 * include the spends.
 */
export function overCap(
  spends: readonly Spend[],
  counters: readonly SessionCounter[],
  isIncluded: boolean,
): Refusal {
  const sums = spends.map((spend) => ({ ...spend, sum: sumWith(spend, counters, isIncluded) }))
  const caps = sums.flatMap(({ caps: all, sum }) => all.map((cap) => ({ ...cap, sum })))
  const ofOrganization = caps.filter(({ layer }) => layer === 'organization')
  const ofOthers = caps.filter(({ layer }) => layer !== 'organization')
  const over = [...ofOrganization, ...ofOthers].find(({ max, sum }) => sum > max)
  if (over === undefined) return overCounter(sums)
  const { reason, layer, rule, max, sum } = over
  return { reason, layer, rule, limit: max.toString(), actual: sum.toString() }
}

// The maximum of a counter, numeric(78, 0); the policy refuses a single payload above it in the same way.
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
