import type { Compiled } from './compile.ts'
import type { Cap, Spend } from './decision.ts'
import type { Examination } from './examination.ts'
import { type Measured, measures } from './measures.ts'
import { tokenRule } from './token-rules.ts'

/** The most that a counter can ever hold: 78 digits, as every amount of the wire. */
const counterMax = 10n ** 78n - 1n

/** Whether a payload is within what one transaction may move or cost: caps of fields in their order, then those of tokens. */
export function checkPerTx(
  { caps, tokens }: Compiled,
  measured: Measured,
  examination: Examination,
): boolean {
  return (
    caps.transaction.every((cap) => isWithin(measures[cap.of](measured), cap, examination)) &&
    [...measured.sums.tokens].every(([key, { name, amount }]) => {
      const bound = tokens.caps.get(key)?.perTx ?? null
      if (bound === null) return true
      const rule = tokenRule(name, 'max_per_tx')
      return isWithin(amount, { ...bound, reason: 'token_cap_exceeded', rule }, examination)
    })
  )
}

function isWithin(
  amount: bigint | null,
  { max, reason, layer, rule }: Cap,
  examination: Examination,
): boolean {
  if (amount === null) return true
  return examination.check(
    amount <= max,
    { reason, layer, rule },
    { limit: () => String(max), actual: () => String(amount) },
  )
}

/** Whether each cost is within the caps of its counter while nothing else is spent; more than a counter can hold is over any cap. */
export function checkTotals(spends: readonly Spend[], examination: Examination): boolean {
  return spends.every(({ counter, amount, caps }) => {
    const isNative = counter.startsWith('native ')
    return (
      caps.every((cap) => isWithin(amount, cap, examination)) &&
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
