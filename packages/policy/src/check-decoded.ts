import type { AgentDecoded, AgentEffect } from '@symbolon/networks'
import type { Compiled } from './compile.ts'
import type { PolicyReason } from './decision.ts'
import type { Examination } from './examination.ts'

/**
 * Whether a payload is one that any policy could allow: the decoder found no trap, and every effect says what it moves.
 * Only a bare hash depends on a rule, `allow_raw_hash`.
 */
export function checkDecoded(
  { allowRawHash }: Compiled,
  { trap, effects }: AgentDecoded,
  examination: Examination,
): boolean {
  if (trap === 'raw_hash_not_allowed') {
    return examination.check(
      allowRawHash && effects.length === 0,
      { reason: trap, layer: 'organization', rule: 'allow_raw_hash' },
      { limit: () => String(allowRawHash), actual: () => 'hash' },
    )
  }
  const broken = effects.find((effect) => reasonAgainst(effect) !== null)
  const reason = trap ?? (broken && reasonAgainst(broken)) ?? null
  return examination.check(
    reason === null,
    { reason: reason ?? 'payload_undecodable', layer: 'organization', rule: 'decode' },
    { limit: () => null, actual: () => broken?.kind ?? null },
  )
}

function reasonAgainst({ kind, asset, amount, isNative, contract }: AgentEffect): PolicyReason | null {
  if (kind === 'admin') return 'account_admin_not_allowed'
  if (asset === null && (isNative || amount !== null)) return 'payload_undecodable'
  if (amount !== null && amount < 0n) return 'payload_undecodable'
  switch (kind) {
    case 'transfer':
      return asset === null || amount === null ? 'payload_undecodable' : null
    case 'approval':
      return asset === null ? 'approval_not_allowed' : null
    case 'call':
    case 'unknown':
      return contract === null || (asset !== null && amount === null) ? 'payload_undecodable' : null
  }
}
