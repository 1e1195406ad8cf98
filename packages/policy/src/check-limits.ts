import type { AgentDecoded } from '@symbolon/networks'
import type { Bound } from './bound.ts'
import type { Compiled } from './compile.ts'
import type { PolicyReason, Spend } from './decision.ts'
import type { Examination } from './examination.ts'
import type { Sums } from './sums-of.ts'
import { tokenRule } from './token-rules.ts'

/** The most that a counter can ever hold: 78 digits, as every amount of the wire. */
const counterMax = 10n ** 78n - 1n

/** Whether the sums and the fee of a payload are within what one transaction may move: the organization's cap is asked first. */
export function checkPerTx(
  { organizationPerTx, perTx, feePerTx, tokens }: Compiled,
  { fee }: AgentDecoded,
  sums: Sums,
  examination: Examination,
): boolean {
  const within = (amount: bigint, bound: Bound | null, reason: PolicyReason, rule: string) =>
    bound === null ||
    examination.check(
      amount <= bound.max,
      { reason, layer: bound.layer, rule },
      { limit: () => String(bound.max), actual: () => String(amount) },
    )
  return (
    within(sums.native, organizationPerTx, 'org_per_tx_cap_exceeded', 'max_native_per_tx_cap') &&
    within(sums.native, perTx, 'per_tx_cap_exceeded', 'max_spend_per_tx_native') &&
    (fee === null || within(fee, feePerTx, 'fee_cap_exceeded', 'max_fee_per_tx_native')) &&
    [...sums.tokens].every(([key, { name, amount }]) => {
      const cap = tokens.caps.get(key)?.perTx ?? null
      return within(amount, cap, 'token_cap_exceeded', tokenRule(name, 'max_per_tx'))
    })
  )
}

/** Whether each cost is within the caps of its counter while nothing else is spent; more than a counter can hold is over any cap. */
export function checkTotals(spends: readonly Spend[], examination: Examination): boolean {
  return spends.every(({ counter, amount, caps }) => {
    const isNative = counter.startsWith('native ')
    return (
      caps.every(({ max, reason, layer, rule }) =>
        examination.check(
          amount <= max,
          { reason, layer, rule },
          { limit: () => String(max), actual: () => String(amount) },
        ),
      ) &&
      (amount <= counterMax ||
        examination.check(
          false,
          {
            reason: isNative ? 'total_cap_exceeded' : 'token_cap_exceeded',
            layer: 'organization',
            rule: isNative ? 'max_spend_total_native' : 'allowed_tokens',
          },
          { limit: () => String(counterMax), actual: () => String(amount) },
        ))
    )
  })
}
