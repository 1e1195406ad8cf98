import type { AgentDecoded, AgentEffect, Chain, HolderSearch } from '@symbolon/networks'
import type { Compiled } from './compile.ts'
import { contractRefusal, unnamedBy } from './contract-rules.ts'
import { type Examination, listText } from './examination.ts'
import { placeKey } from './policy-names.ts'

/**
 * Whether nothing goes to a blocked account, and everything that moves or is approved to one on every list. An offer to
 * anybody is on no list, and may go to a blocked one, as may what goes to a token account whose holder is not known. The
 * contract of a call is not a recipient of the native value that goes along with it, if it may be called, but is of any other.
 */
export function checkRecipients(
  compiled: Compiled,
  decoded: AgentDecoded,
  examination: Examination,
): boolean {
  const { blockedRecipients, recipients } = compiled
  if (blockedRecipients.size === 0 && recipients.length === 0) return true
  const called = recipients.length === 0 ? none : calledContracts(compiled, decoded)
  let search: HolderSearch | undefined
  const holders = () => {
    search ??= compiled.allowedHolders().forPayload()
    return search
  }
  return decoded.effects.every((decodedEffect) => {
    const effect = withHolder(holders, decodedEffect)
    return (
      checkBlocked(compiled, decoded.chain, effect, examination) &&
      (!isPaid(effect) || checkAllowed(compiled, effect, called, examination)) &&
      checkReceivers(compiled, decoded, effect, examination)
    )
  })
}

/**
 * Whether a call whose bytes do not say who gets what it makes is named by every list of contracts. What may not be called at all is left to
 * those lists, which say so.
 */
function checkReceivers(
  compiled: Compiled,
  { chain }: AgentDecoded,
  effect: AgentEffect,
  examination: Examination,
): boolean {
  const { recipients, contracts, names } = compiled
  const [first] = recipients
  const { contract, selector } = effect
  if (first === undefined || contract === null || !hidesReceivers(effect)) return true
  const key = placeKey(chain.handle, contract, names)
  return examination.check(
    contractRefusal(compiled, key, effect) !== null || unnamedBy(contracts.lists, key) === null,
    { reason: 'recipient_not_allowed', layer: first.layer, rule: 'allowed_recipients', isOfEach: true },
    {
      limit: () => listText(first.list),
      actual: () =>
        `the unknown receiver of a call of ${selector === null ? contract : `${contract} ${selector}`}`,
    },
  )
}

function hidesReceivers({ kind, hasReceivers }: AgentEffect): boolean {
  return kind === 'unknown' && hasReceivers !== true
}

const none: ReadonlySet<string> = new Set()

/** The effect with the holder of its token account as the recipient, if that is one whom all lists allow. */
function withHolder(holders: () => HolderSearch, effect: AgentEffect): AgentEffect {
  const { tokenAccount, asset } = effect
  if (!hasUnknownHolder(effect) || tokenAccount === undefined || asset === null) return effect
  const holder = holders().holderOf(tokenAccount, asset)
  return holder === null ? effect : { ...effect, to: holder }
}

function hasUnknownHolder({ to, tokenAccount }: AgentEffect): boolean {
  return tokenAccount !== undefined && tokenAccount.address === to
}

function checkBlocked(
  compiled: Compiled,
  { handle }: Pick<Chain, 'handle'>,
  effect: AgentEffect,
  examination: Examination,
): boolean {
  const { blockedRecipients, names } = compiled
  if (blockedRecipients.size === 0) return true
  const { to, contract, asset, tokenAccount } = effect
  const blocked =
    [to, tokenAccount?.address ?? null].find(
      (text) => text !== null && blockedRecipients.has(names.addressKey(text)),
    ) ??
    [contract, asset].find((text) => text !== null && blockedRecipients.has(names.assetKey(handle, text)))
  return examination.check(
    blocked === undefined && !mayBeBlocked(compiled, effect),
    { reason: 'recipient_blocked', layer: 'organization', rule: 'blocked_recipients', isOfEach: true },
    {
      limit: () => listText(new Set(blockedRecipients.values())),
      actual: () => blocked ?? (isMoved(effect) ? shownRecipient(effect) : (to ?? contract)),
    },
  )
}

/**
 * Whether something goes to nobody in particular who may be blocked. A token account that no list has either is left to the
 * lists, which say so; and it is nobody's who is blocked where none of the blocked ones can hold such an account.
 */
function mayBeBlocked({ recipients, names, blockedHolders }: Compiled, effect: AgentEffect): boolean {
  const { to } = effect
  if (!isMoved(effect)) return false
  if (to === null) return true
  if (!hasUnknownHolder(effect)) return false
  const key = names.addressKey(to)
  return recipients.every(({ keys }) => keys.has(key)) && blockedHolders().count > 0
}

function checkAllowed(
  { recipients, names }: Compiled,
  effect: AgentEffect,
  called: ReadonlySet<string>,
  examination: Examination,
): boolean {
  if (recipients.length === 0) return true
  const { kind, isNative, isOwn, isAttached, to } = effect
  if (isOwn) return true
  if (kind === 'transfer' && isNative && isAttached && to !== null && called.has(names.addressKey(to)))
    return true
  const of = to === null ? [] : names.recipientKeys(to)
  return recipients.every(({ layer, keys, list }) =>
    examination.check(
      of.some((key) => keys.has(key)),
      { reason: 'recipient_not_allowed', layer, rule: 'allowed_recipients', isOfEach: true },
      { limit: () => listText(list), actual: () => shownRecipient(effect) },
    ),
  )
}

function shownRecipient(effect: AgentEffect): string {
  return hasUnknownHolder(effect) ? `the unknown holder of ${effect.to}` : (effect.to ?? 'anybody')
}

function isMoved({ kind }: AgentEffect): boolean {
  return kind === 'transfer' || kind === 'approval'
}

/** Whether somebody is paid: also by a call that is for another account than the called one. */
function isPaid(effect: AgentEffect): boolean {
  const { kind, asset, to, contract } = effect
  if (isMoved(effect)) return true
  if (kind !== 'call' && kind !== 'unknown') return false
  return to !== contract && (to !== null || asset !== null)
}

/** The contracts that this payload calls and may call. */
function calledContracts(compiled: Compiled, { chain, effects }: AgentDecoded): ReadonlySet<string> {
  const { names } = compiled
  const called = new Set<string>()
  for (const effect of effects) {
    const { kind, contract } = effect
    if ((kind !== 'call' && kind !== 'unknown') || contract === null) continue
    const key = placeKey(chain.handle, contract, names)
    const isOpen = contractRefusal(compiled, key, effect) === null
    if (isOpen && !(hidesReceivers(effect) && unnamedBy(compiled.contracts.lists, key) !== null))
      called.add(names.addressKey(contract))
  }
  return called
}
