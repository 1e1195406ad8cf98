import type { Refusal, Spend } from '@symbolon/policy'
import type { Standing } from './budgets.store.ts'

/**
 * The refusal of spends that go over a cap of their counters: the organization's caps first, then the others in their order.
 * `isHeld`: the counters hold the spends already.
 */
export function overCap(spends: readonly Spend[], standings: readonly Standing[], isHeld: boolean): Refusal {
  const caps = spends.flatMap((spend) => {
    const standing = standings.find(({ counter }) => counter === spend.counter)
    const used = standing === undefined ? 0n : standing.spent + standing.reserved
    const sum = isHeld ? used : used + spend.amount
    return spend.caps.map((cap) => ({ ...cap, sum }))
  })
  const ofOrganization = caps.filter(({ layer }) => layer === 'organization')
  const ofOthers = caps.filter(({ layer }) => layer !== 'organization')
  const over = [...ofOrganization, ...ofOthers].find(({ max, sum }) => sum > max)
  // No cap at all, yet more than any counter can hold.
  if (over === undefined)
    return {
      reason: 'total_cap_exceeded',
      layer: 'session',
      rule: 'max_spend_total_native',
      limit: null,
      actual: null,
    }
  const { reason, layer, rule, max, sum } = over
  return { reason, layer, rule, limit: max.toString(), actual: sum.toString() }
}
