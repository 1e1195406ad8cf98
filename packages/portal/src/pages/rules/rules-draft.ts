import type { OrganizationRules, TokenMode } from '@symbolon/sdk/portal'
import { wordsOf } from '../../policy/policy-draft.ts'
import { isAmount } from '../../policy/units.ts'
import { plural } from '../../ui/format.ts'

/** The rules while they are edited; empty texts are no limit. */
export type RulesDraft = {
  perTx: string
  total: string
  blockedChains: string[]
  blockedRecipients: string
  tokenMode: TokenMode
  allowsRawHash: boolean
  lifetime: string
}

/** Rules as the form has them. */
export function rulesDraftOf(rules: OrganizationRules): RulesDraft {
  return {
    perTx: rules.max_native_per_tx_cap ?? '',
    total: rules.max_native_total_cap ?? '',
    blockedChains: rules.blocked_chains ?? [],
    blockedRecipients: rules.blocked_recipients?.join('\n') ?? '',
    tokenMode: rules.token_mode ?? 'allowlist',
    allowsRawHash: rules.allow_raw_hash ?? false,
    lifetime: rules.max_session_ttl_seconds === undefined ? '' : String(rules.max_session_ttl_seconds),
  }
}

/** The rules that a draft says; undefined while an amount in it is none. */
export function rulesOf(draft: RulesDraft): OrganizationRules | undefined {
  const { perTx, total, blockedChains, blockedRecipients, tokenMode, allowsRawHash, lifetime } = draft
  if ([perTx, total].some((text) => text !== '' && !isAmount(text))) return undefined
  const recipients = wordsOf(blockedRecipients)
  return {
    ...(perTx !== '' && { max_native_per_tx_cap: perTx }),
    ...(total !== '' && { max_native_total_cap: total }),
    ...(blockedChains.length > 0 && { blocked_chains: blockedChains }),
    ...(recipients.length > 0 && { blocked_recipients: recipients }),
    token_mode: tokenMode,
    allow_raw_hash: allowsRawHash,
    ...(lifetime !== '' && { max_session_ttl_seconds: Number(lifetime) }),
  }
}

/** What a lifetime in seconds comes to. */
export function lifetimeText(seconds: string): string {
  const value = Number(seconds)
  if (seconds === '' || !Number.isSafeInteger(value) || value < 60)
    return 'A week is 604800. Empty: no limit.'
  const days = Math.floor(value / 86_400)
  const hours = Math.floor((value % 86_400) / 3_600)
  const minutes = Math.floor((value % 3_600) / 60)
  const parts = [
    [days, 'day'],
    [hours, 'hour'],
    [minutes, 'minute'],
  ] as const
  return `${parts.flatMap(([amount, name]) => (amount > 0 ? [plural(amount, name)] : [])).join(', ')}. A session minted for longer is clipped.`
}
