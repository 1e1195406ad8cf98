import type { AgentDecoded } from '@symbolon/networks'
import { isTokenEffect } from './check-tokens.ts'
import type { Compiled } from './compile.ts'
import { chainGroup, placeKey } from './policy-names.ts'
import type { Sums } from './sums.ts'
import { tokenName } from './token-rules.ts'

/** Adds up all effects of a payload; an approval counts as if it were used. An amount that is not known counts nothing: such effects are refused. */
export function sumsOf({ chain, effects }: AgentDecoded, compiled: Pick<Compiled, 'tokens' | 'names'>): Sums {
  const { names } = compiled
  let native = 0n
  const tokens = new Map<string, { name: string; amount: bigint }>()
  for (const effect of effects) {
    const { asset, amount, isNative } = effect
    if (asset === null || amount === null) continue
    if (isNative) {
      native += amount
      continue
    }
    if (!isTokenEffect(compiled, chain, effect)) continue
    const key = placeKey(chain.handle, asset, names)
    const known = tokens.get(key)
    const group = chainGroup(chain.handle, names)
    const name = known?.name ?? tokenName(compiled.tokens, { group, key, asset })
    tokens.set(key, { name, amount: (known?.amount ?? 0n) + amount })
  }
  return { native, tokens }
}
