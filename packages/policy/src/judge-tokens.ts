import type { AgentDecoded, AgentEffect } from '@symbolon/networks'
import type { Compiled } from './compile.ts'
import { type Examination, listText } from './examination.ts'
import { placeKey } from './policy-names.ts'

/** Whether tokens may move, each of these is on every list, and what is approved is a finite amount of one. */
export function checkTokens(
  compiled: Compiled,
  { chain, effects }: AgentDecoded,
  examination: Examination,
): boolean {
  return effects.every((effect) => {
    if (effect.kind === 'approval' && effect.isNative) return checkApproval(effect, examination)
    if (effect.isNative || effect.asset === null) return true
    const { asset } = effect
    return (
      checkMode(compiled, asset, examination) &&
      checkListed(compiled, asset, placeKey(chain.handle, asset, compiled.names), examination) &&
      checkApproval(effect, examination)
    )
  })
}

function checkMode({ tokens: { mode } }: Compiled, asset: string, examination: Examination): boolean {
  return examination.check(
    mode !== 'none',
    { reason: 'token_transfers_disabled', layer: 'organization', rule: 'token_mode' },
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
      { reason, layer, rule },
      { limit: () => listText(list), actual: () => asset },
    ),
  )
}

/** An approval of a native asset is none that a cap of tokens could hold. */
function checkApproval({ kind, isNative, asset, amount }: AgentEffect, examination: Examination): boolean {
  if (kind !== 'approval') return true
  return examination.check(
    amount !== null && !isNative,
    { reason: 'approval_not_allowed', layer: 'organization', rule: 'approvals' },
    { limit: () => 'finite amounts of tokens', actual: () => `${amount ?? 'unlimited'} ${asset}` },
  )
}
