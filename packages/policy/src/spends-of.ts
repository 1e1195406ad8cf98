import type { Chain } from '@symbolon/networks'
import { type Caps, type FieldCap, isCapOn } from './caps.ts'
import type { Compiled } from './compile.ts'
import type { Cap, Spend } from './decision.ts'
import { type Measure, type Measured, measures } from './measures.ts'
import { nativeCaps, type TokenCaps, tokenRule } from './token-rules.ts'

/**
 * What a payload costs of each counter, with the caps of the counter: the native asset, value and fee together, then tokens, then one of
 * the transactions. Nothing costs nothing.
 */
export function spendsOf({ caps, tokens, names }: Compiled, measured: Measured): readonly Spend[] {
  const { decoded, sums } = measured
  const spends: Spend[] = []
  const { symbol, decimals } = decoded.chain.nativeAsset
  const fee = measures.fee(measured) ?? 0n
  const native = (measures.native(measured) ?? 0n) + fee
  if (native > 0n) {
    const counter = `native ${symbol}/${decimals}`
    const cost = { counter, asset: symbol, amount: native, ...(fee > 0n && { fee }) }
    const listed = nativeCaps({ tokens, names }, decoded.chain)
    spends.push({
      ...cost,
      caps: [...capsOn('native', caps, decoded.chain), ...tokenCaps(listed.caps, listed.name)],
    })
  }
  for (const [key, { name, amount }] of sums.tokens) {
    if (amount === 0n) continue
    spends.push({ counter: `token ${key}`, asset: name, amount, caps: tokenCaps(tokens.caps.get(key), name) })
  }
  const amount = measures.transactions(measured) ?? 0n
  if (amount > 0n) {
    spends.push({
      counter: 'transactions',
      asset: 'transactions',
      amount,
      caps: capsOn('transactions', caps, decoded.chain),
    })
  }
  return spends
}

function capsOn(measure: Measure, { session }: Caps, chain: Chain): readonly Cap[] {
  return session.filter((cap) => cap.of === measure && isCapOn(cap, chain)).map(capOf)
}

const capOf = ({ max, reason, layer, rule }: FieldCap): Cap => ({ max, reason, layer, rule })

function tokenCaps(caps: TokenCaps | undefined, name: string): readonly Cap[] {
  const total = caps?.total ?? null
  if (total === null) return []
  return [{ ...total, reason: 'token_cap_exceeded', rule: tokenRule(name, 'max_total') }]
}
