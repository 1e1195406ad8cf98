import type { Refusal, Spend, Split } from '@symbolon/policy'
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
  const sums = spends.map((spend) => ({
    ...spend,
    sum: sumWith(spend, counters, isIncluded),
    split: splitOf(spend),
  }))
  const caps = sums.flatMap(({ caps: all, sum, split }) => all.map((cap) => ({ ...cap, sum, split })))
  const ofOrganization = caps.filter(({ layer }) => layer === 'organization')
  const ofOthers = caps.filter(({ layer }) => layer !== 'organization')
  const over = [...ofOrganization, ...ofOthers].find(({ max, sum }) => sum > max)
  if (over === undefined) return overCounter(sums)
  const { reason, layer, rule, max, sum, split } = over
  return { reason, layer, rule, limit: max.toString(), actual: sum.toString(), ...split }
}

// The maximum of a counter, numeric(78, 0); the policy refuses a single payload above it in the same way.
const counterMax = 10n ** 78n - 1n

type Sum = { counter: string; sum: bigint; split: Split | undefined }

function overCounter(sums: readonly Sum[]): Refusal {
  const full = sums.find(({ sum }) => sum > counterMax)
  const isToken = full?.counter.startsWith('token ') === true
  return {
    reason: isToken ? 'token_cap_exceeded' : 'total_cap_exceeded',
    layer: 'organization',
    rule: isToken ? 'allowed_tokens' : 'max_spend_total_native',
    limit: counterMax.toString(),
    actual: full === undefined ? null : full.sum.toString(),
    ...full?.split,
  }
}

/** What of a spend of a native asset is value and what is fee; of anything else nothing. */
function splitOf({ counter, amount, fee = 0n }: Spend): Split | undefined {
  if (!counter.startsWith('native ')) return undefined
  return { value: (amount - fee).toString(), fee: fee.toString() }
}
