import type { Spend, Split } from './decision.ts'

/** What of a spend of a native asset is value and what is fee; of anything else nothing. */
export function splitOf({ counter, amount, fee = 0n }: Spend): Split | undefined {
  if (!counter.startsWith('native ')) return undefined
  return { value: String(amount - fee), fee: String(fee) }
}
