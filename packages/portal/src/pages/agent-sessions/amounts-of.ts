import { policyFields } from '@symbolon/policy/fields'
import type { AgentEvent, AgentSession } from '@symbolon/sdk/portal'
import type { PolicyField } from '../../policy/draft-kinds.ts'
import { amountText, type Unit } from '../../policy/units.ts'

/** What a session may spend and has left now; amounts are decimal texts in the smallest unit. */
export type Limits = Pick<AgentSession, 'effective_policy' | 'spent' | 'transactions'>

type Cap = Exclude<Extract<PolicyField, { cap: { of: 'native' | 'transactions' } }>, { kind: 'asset-caps' }>

const caps = policyFields.filter(
  (field): field is Cap =>
    field.kind !== 'asset-caps' && 'cap' in field && field.cap !== null && field.cap.of !== 'fee',
)

/**
 * A refusal by a cap with its amounts: the requested amount, and the cap and what is left of it now. Undefined for other reasons, or
 * if an amount is unknown.
 */
export function amountsOf(
  { reason_code, value, asset }: Pick<AgentEvent, 'reason_code' | 'value' | 'asset'>,
  { effective_policy, spent, transactions }: Limits,
  unit: Unit | undefined,
): string | undefined {
  const field = caps.find(({ reason }) => reason === reason_code)
  if (field?.kind === 'count') {
    const { count, reserved, max } = transactions
    return max === null ? undefined : `${count + reserved} of ${max} transactions are used now.`
  }
  const cap = field && effective_policy['shownIn' in field ? field.shownIn : field.name]
  if (cap === undefined || cap === null || value === null) return undefined
  const would = `It would have sent ${amountText(value, unit)}`
  if (field?.cap.per === 'transaction')
    return `${would}; the limit per transaction is now ${amountText(cap, unit)}.`
  const left = spent.find((row) => row.asset === asset)?.remaining ?? cap
  return `${would}; ${amountText(left, unit)} of the ${amountText(cap, unit)} budget is left now.`
}
