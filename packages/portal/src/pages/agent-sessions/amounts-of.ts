import type { AgentEvent, AgentSession } from '@symbolon/sdk/portal'
import { amountText, type Unit } from '../../policy/units.ts'

/** What a session may spend now and what of it is left; amounts are decimal texts in the smallest unit. */
export type Limits = Pick<AgentSession, 'effective_policy' | 'spent' | 'transactions'>

const totals: readonly string[] = ['total_cap_exceeded', 'org_total_cap_exceeded']
const perTransaction: readonly string[] = ['per_tx_cap_exceeded', 'org_per_tx_cap_exceeded']

/**
 * A refusal by a cap with its amounts: what was asked is of the attempt, the cap and what is left of it are as they are now. Undefined for
 * other reasons, and where the amounts are not known.
 */
export function amountsOf(
  { reason_code, value, asset }: Pick<AgentEvent, 'reason_code' | 'value' | 'asset'>,
  { effective_policy, spent, transactions }: Limits,
  unit: Unit | undefined,
): string | undefined {
  if (reason_code === 'tx_count_exceeded') {
    const { count, reserved, max } = transactions
    return max === null ? undefined : `${count + reserved} of ${max} transactions are used now.`
  }
  if (reason_code === null || value === null) return undefined
  const would = `It would have sent ${amountText(value, unit)}`
  const { max_spend_per_tx_native: once, max_spend_total_native: all } = effective_policy
  if (perTransaction.includes(reason_code) && once !== null)
    return `${would} at once; the cap for one transaction is ${amountText(once, unit)} now.`
  if (totals.includes(reason_code) && all !== null) {
    const left = spent.find((row) => row.asset === asset)?.remaining ?? all
    return `${would}; of the budget of ${amountText(all, unit)}, ${amountText(left, unit)} is left now.`
  }
  return undefined
}
