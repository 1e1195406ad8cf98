import type { AgentDecoded } from '@symbolon/networks'
import type { Compiled } from './compile.ts'
import { isJudgedToken } from './judge-tokens.ts'
import { placeKey } from './policy-names.ts'

/** What a payload moves of each asset in the worst case: the native one, and tokens by `placeKey` in the order in which they come. */
export type Sums = {
  readonly native: bigint
  readonly tokens: ReadonlyMap<string, { readonly token: string; readonly amount: bigint }>
}

/** Adds up all effects of a payload; an approval counts as if it were used. An amount that is not known counts nothing: such effects are refused. */
export function sumsOf({ chain, effects }: AgentDecoded, compiled: Pick<Compiled, 'tokens' | 'names'>): Sums {
  const { names } = compiled
  let native = 0n
  const tokens = new Map<string, { token: string; amount: bigint }>()
  for (const effect of effects) {
    const { asset, amount, isNative } = effect
    if (asset === null || amount === null) continue
    if (isNative) {
      native += amount
      continue
    }
    if (!isJudgedToken(compiled, chain, effect)) continue
    const key = placeKey(chain.handle, asset, names)
    const known = tokens.get(key)
    tokens.set(key, { token: known?.token ?? asset, amount: (known?.amount ?? 0n) + amount })
  }
  return { native, tokens }
}
