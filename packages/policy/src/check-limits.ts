import { isCapOn } from './caps.ts'
import type { Compiled } from './compile.ts'
import type { Cap, Spend, Split } from './decision.ts'
import type { Examination } from './examination.ts'
import { type Measured, measures } from './measures.ts'
import { splitOf } from './split-of.ts'
import { nativeCaps, type TokenCaps, tokenRule } from './token-rules.ts'

/** The most that a counter can ever hold: 78 digits, as every amount of the wire. */
const counterMax = 10n ** 78n - 1n

/** Whether a payload is within what one transaction may move or cost: caps of fields in their order, then those of tokens. */
export function checkPerTx(
  { caps, tokens, names }: Compiled,
  measured: Measured,
  examination: Examination,
): boolean {
  return (
    caps.transaction.every(
      (cap) =>
        !isCapOn(cap, measured.decoded.chain) || isWithin(measures[cap.of](measured), cap, examination),
    ) &&
    (caps.isFeeCapped || isWithin(measures.fee(measured), feeCeiling(measured.decoded), examination)) &&
    isTokenWithin(measured.sums.native, nativeCaps({ tokens, names }, measured.decoded.chain), examination) &&
    [...measured.sums.tokens].every(([key, { name, amount }]) =>
      isTokenWithin(amount, { name, caps: tokens.caps.get(key) }, examination),
    )
  )
}

function isTokenWithin(
  amount: bigint,
  { name, caps }: { name: string; caps: TokenCaps | undefined },
  examination: Examination,
): boolean {
  const bound = caps?.perTx ?? null
  if (bound === null) return true
  const rule = tokenRule(name, 'max_per_tx')
  return isWithin(amount, { ...bound, reason: 'token_cap_exceeded', rule }, examination)
}

/** What a fee may be where neither the agent nor the session says. */
function feeCeiling({ chain }: Measured['decoded']): Cap {
  const rule = 'max_fee_per_tx_native'
  return { max: chain.feeCeiling, reason: 'fee_cap_exceeded', layer: 'session', rule }
}

function isWithin(
  amount: bigint | null,
  { max, reason, layer, rule }: Cap,
  examination: Examination,
  split?: Split,
): boolean {
  if (amount === null) return true
  return examination.check(
    amount <= max,
    { reason, layer, rule, ...split },
    { limit: () => String(max), actual: () => String(amount) },
  )
}

/** Whether each cost is within the caps of its counter while nothing else is spent; more than a counter can hold is over any cap. */
export function checkTotals(spends: readonly Spend[], examination: Examination): boolean {
  return spends.every((spend) => {
    const { counter, amount, caps } = spend
    const isNative = counter.startsWith('native ')
    const split = splitOf(spend)
    return (
      caps.every((cap) => isWithin(amount, cap, examination, split)) &&
      (amount <= counterMax ||
        examination.check(
          false,
          {
            reason: isNative ? 'total_cap_exceeded' : 'token_cap_exceeded',
            layer: 'organization',
            rule: isNative ? 'max_spend_total_native' : 'allowed_tokens',
            ...split,
          },
          { limit: () => String(counterMax), actual: () => String(amount) },
        ))
    )
  })
}
