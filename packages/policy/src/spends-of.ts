import type { AgentDecoded, AgentMethod } from '@symbolon/networks'
import type { Bound } from './bound.ts'
import type { Compiled } from './compile.ts'
import type { Cap, Spend } from './decision.ts'
import type { Sums } from './sums-of.ts'
import { tokenRule } from './token-rules.ts'

/**
 * What a payload costs of each counter, with the caps of the counter: the native asset, then tokens, then one of the
 * transactions. Nothing costs nothing.
 */
export function spendsOf(
  { organizationTotal, total, txCount, tokens }: Compiled,
  method: AgentMethod,
  { chain }: AgentDecoded,
  sums: Sums,
): readonly Spend[] {
  const spends: Spend[] = []
  if (sums.native > 0n) {
    const { symbol, decimals } = chain.nativeAsset
    spends.push({
      counter: `native ${symbol}/${decimals}`,
      asset: symbol,
      amount: sums.native,
      caps: [
        ...capOf(organizationTotal, 'org_total_cap_exceeded', 'max_native_total_cap'),
        ...capOf(total, 'total_cap_exceeded', 'max_spend_total_native'),
      ],
    })
  }
  for (const [key, { name, amount }] of sums.tokens) {
    if (amount === 0n) continue
    const caps = capOf(
      tokens.caps.get(key)?.total ?? null,
      'token_cap_exceeded',
      tokenRule(name, 'max_total'),
    )
    spends.push({
      counter: `token ${key}`,
      asset: name,
      amount,
      caps,
    })
  }
  if (method === 'sendTransaction') {
    const caps = capOf(txCount, 'tx_count_exceeded', 'max_tx_count')
    spends.push({ counter: 'transactions', asset: 'transactions', amount: 1n, caps })
  }
  return spends
}

function capOf(bound: Bound | null, reason: Cap['reason'], rule: string): readonly Cap[] {
  return bound === null ? [] : [{ max: bound.max, reason, layer: bound.layer, rule }]
}
