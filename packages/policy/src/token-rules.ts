import type { AllowList } from './allow-list.ts'
import { type Bound, type Limit, strictest } from './bound.ts'
import type { PolicyLayer } from './decision.ts'
import { isSet, layeredPolicies } from './layered-policies.ts'
import type { AllowedToken, Layers, TokenMode } from './policy.ts'
import { type PolicyNames, placeKey } from './policy-names.ts'

/** The strictest caps of a token. */
export type TokenCaps = { readonly perTx: Bound | null; readonly total: Bound | null }

/** Which tokens may move: the lists of the layers by `placeKey`, all of which have to have a token, and its caps. */
export type TokenRules = {
  readonly mode: TokenMode
  /** The layer to name where tokens need a list and there is none; null where that is no reason. */
  readonly unlisted: PolicyLayer | null
  readonly lists: readonly AllowList[]
  readonly caps: ReadonlyMap<string, TokenCaps>
}

/**
 * The rules of the layers for a contract as a token, by its `placeKey`: `listed` where it may be spent; `refused`, with whose word it is, where
 * some layer lists it and it may not; `other` where no layer lists it.
 */
export function tokenStatus(
  { mode, unlisted, lists, caps }: TokenRules,
  key: string,
): 'listed' | 'other' | { readonly refused: PolicyLayer } {
  if (!caps.has(key)) return 'other'
  if (mode === 'none') return { refused: 'organization' }
  const refused = unlisted ?? lists.find(({ keys }) => !keys.has(key))?.layer
  return refused === undefined ? 'listed' : { refused }
}

/** What a refusal calls the cap of a token; `name` is its chain and id: `allowed_tokens[base 0x…].max_total`. */
export function tokenRule(name: string, cap: 'max_per_tx' | 'max_total'): string {
  return `allowed_tokens[${name}].${cap}`
}

/** The tokens of layers: `none` moves none, `allowlist` those that are listed, `any` also where nobody lists any. */
export function tokenRules(layers: Layers, mode: TokenMode, names: PolicyNames): TokenRules {
  const keyOf = ({ chain, token }: AllowedToken) => placeKey(chain, token, names)
  const lists = layeredPolicies(layers).flatMap(({ layer, policy }) =>
    policy.allowed_tokens === null
      ? []
      : [{ layer, entries: policy.allowed_tokens, keys: new Set(policy.allowed_tokens.map(keyOf)) }],
  )
  const limits = new Map<string, { perTx: Limit[]; total: Limit[] }>()
  for (const { layer, entries } of lists) {
    for (const entry of entries) {
      const key = keyOf(entry)
      const known = limits.get(key) ?? { perTx: [], total: [] }
      known.perTx.push({ layer, max: entry.maxPerTx })
      known.total.push({ layer, max: entry.maxTotal })
      limits.set(key, known)
    }
  }
  const isOpen = mode === 'any' || isSet(layers, 'allowed_tokens')
  return {
    mode,
    unlisted: isOpen ? null : layers.agent.length > 0 ? 'agent' : 'session',
    lists: lists.map(({ layer, keys, entries }) => ({
      layer,
      keys,
      list: entries.map(({ chain, token }) => `${chain} ${token}`),
    })),
    caps: new Map(
      [...limits].map(([key, { perTx, total }]) => [
        key,
        { perTx: strictest(perTx), total: strictest(total) },
      ]),
    ),
  }
}
