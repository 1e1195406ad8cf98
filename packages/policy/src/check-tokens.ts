import type { AgentDecoded, AgentEffect, Chain } from '@symbolon/networks'
import type { Compiled } from './compile.ts'
import { type Examination, listText } from './examination.ts'
import { placeKey } from './policy-names.ts'
import { tokenStatus } from './token-rules.ts'

/** Whether tokens may move, each of these is on every list, and what is approved is a finite amount of one. */
export function checkTokens(
  compiled: Compiled,
  { chain, effects }: AgentDecoded,
  examination: Examination,
): boolean {
  return effects.every((effect) => {
    if (effect.kind === 'approval' && effect.isNative) return checkApproval(effect, examination)
    const { asset } = effect
    if (asset === null || !isTokenEffect(compiled, chain, effect)) return true
    return (
      checkMode(compiled, asset, examination) &&
      checkListed(compiled, asset, placeKey(chain.handle, asset, compiled.names), examination) &&
      checkApproval(effect, examination)
    )
  })
}

/**
 * Whether an effect is evaluated as one of a token. A call that takes tokens of the called contract itself (shares that are redeemed) is where
 * that is a listed token; otherwise it is a call like any other.
 */
export function isTokenEffect(
  { tokens, names }: Pick<Compiled, 'tokens' | 'names'>,
  { handle }: Pick<Chain, 'handle'>,
  { kind, asset, contract, isNative }: AgentEffect,
): boolean {
  if (isNative || asset === null) return false
  if ((kind !== 'call' && kind !== 'unknown') || contract === null) return true
  const key = placeKey(handle, asset, names)
  return key !== placeKey(handle, contract, names) || tokenStatus(tokens, key) === 'listed'
}

function checkMode({ tokens: { mode } }: Compiled, asset: string, examination: Examination): boolean {
  return examination.check(
    mode !== 'none',
    { reason: 'token_transfers_disabled', layer: 'organization', rule: 'token_mode', isOfEach: true },
    { limit: () => mode, actual: () => asset },
  )
}

function checkListed({ tokens }: Compiled, asset: string, key: string, examination: Examination): boolean {
  const { unlisted, lists } = tokens
  const reason = 'token_not_allowed'
  const rule = 'allowed_tokens'
  if (unlisted !== null) {
    const texts = { limit: () => null, actual: () => asset }
    return examination.check(false, { reason, layer: unlisted, rule }, texts)
  }
  return lists.every(({ layer, keys, list }) =>
    examination.check(
      keys.has(key),
      { reason, layer, rule, isOfEach: true },
      { limit: () => listText(list), actual: () => asset },
    ),
  )
}

/** An approval of a native asset is none that a cap of tokens could hold. */
function checkApproval({ kind, isNative, asset, amount }: AgentEffect, examination: Examination): boolean {
  if (kind !== 'approval') return true
  return examination.check(
    amount !== null && !isNative,
    { reason: 'approval_not_allowed', layer: 'organization', rule: 'approvals', isOfEach: true },
    { limit: () => 'finite amounts of tokens', actual: () => `${amount ?? 'unlimited'} ${asset}` },
  )
}
