import type { AgentDecoded, AgentEffect } from '@symbolon/networks'
import type { Compiled } from './compile.ts'
import { refusingLayer } from './contract-rules.ts'
import { type Examination, listText } from './examination.ts'
import { placeKey } from './policy-names.ts'

/**
 * Whether nothing goes to a blocked account, and everything that moves or is approved to one on every list. An offer to
 * anybody is on no list, and may go to a blocked one, as may what goes to an account whose holder is not told. The contract of a call is no recipient of that call's native value if
 * it may be called.
 */
export function checkRecipients(
  compiled: Compiled,
  decoded: AgentDecoded,
  examination: Examination,
): boolean {
  const { blockedRecipients, recipients } = compiled
  if (blockedRecipients.size === 0 && recipients.length === 0) return true
  const called = recipients.length === 0 ? none : calledContracts(compiled, decoded)
  return decoded.effects.every(
    (effect) =>
      checkBlocked(compiled, effect, examination) && checkAllowed(compiled, effect, called, examination),
  )
}

const none: ReadonlySet<string> = new Set()

function checkBlocked({ blockedRecipients, names }: Compiled, effect: AgentEffect, examination: Examination) {
  if (blockedRecipients.size === 0) return true
  const { to, contract, asset, isNative, isHolderUnknown = false } = effect
  const isBlocked = (text: string | null) => text !== null && blockedRecipients.has(names.addressKey(text))
  const isForAnybody = (to === null || isHolderUnknown) && isMoved(effect)
  return examination.check(
    !isForAnybody && !isBlocked(to) && !isBlocked(contract) && (isNative || !isBlocked(asset)),
    { reason: 'recipient_blocked', layer: 'organization', rule: 'blocked_recipients' },
    { limit: () => listText(blockedRecipients.values()), actual: () => to ?? contract ?? 'anybody' },
  )
}

function checkAllowed(
  { recipients, names }: Compiled,
  effect: AgentEffect,
  called: ReadonlySet<string>,
  examination: Examination,
): boolean {
  if (!isMoved(effect) || recipients.length === 0) return true
  const { kind, isNative, to } = effect
  const key = to === null ? null : names.addressKey(to)
  if (kind === 'transfer' && isNative && key !== null && called.has(key)) return true
  return recipients.every(({ layer, keys, list }) =>
    examination.check(
      key !== null && keys.has(key),
      { reason: 'recipient_not_allowed', layer, rule: 'allowed_recipients' },
      { limit: () => listText(list), actual: () => to ?? 'anybody' },
    ),
  )
}

function isMoved({ kind }: AgentEffect): boolean {
  return kind === 'transfer' || kind === 'approval'
}

/** The contracts that this payload calls and may call. */
function calledContracts(
  { contracts, names }: Compiled,
  { chain, effects }: AgentDecoded,
): ReadonlySet<string> {
  const called = new Set<string>()
  for (const { kind, contract, selector } of effects) {
    if ((kind !== 'call' && kind !== 'unknown') || contract === null) continue
    const key = placeKey(chain.handle, contract, names)
    if (refusingLayer(contracts, key, selector) === null) called.add(names.addressKey(contract))
  }
  return called
}
