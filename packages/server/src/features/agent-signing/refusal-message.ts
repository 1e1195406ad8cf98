import type { Refusal } from '@symbolon/policy'

const sums: ReadonlySet<string> = new Set([
  'total_cap_exceeded',
  'org_total_cap_exceeded',
  'tx_count_exceeded',
])

/** What `limit` and `actual` may say within a sentence: short, and nothing that a payload could dress up as one. */
const plainText = /^[\w.:/@-]{1,100}$/

/** A refusal in one sentence for people; `details` has the rest. */
export function refusalMessage({ reason, layer, rule, limit, actual }: Refusal): string {
  const whose = `${rule} of the ${layer}`
  const start = 'The policy refuses this:'
  if (limit === null || !plainText.test(limit)) return `${start} ${whose} does not allow it (${reason}).`
  if (actual === null || !plainText.test(actual)) return `${start} ${whose} is ${limit} (${reason}).`
  return `${start} ${whose} is ${limit}, this ${sums.has(reason) ? 'would make it' : 'is'} ${actual}.`
}
