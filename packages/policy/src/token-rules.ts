import type { Chain } from '@symbolon/networks'
import type { AllowList } from './allow-list.ts'
import { type Bound, type Limit, strictest } from './bound.ts'
import type { PolicyLayer } from './decision.ts'
import { isSet, layeredPolicies } from './layered-policies.ts'
import type { AllowedToken, Layers, TokenMode } from './policy.ts'
import { chainGroup, type PolicyNames, placeKey } from './policy-names.ts'

/** The strictest caps of a token. */
export type TokenCaps = { readonly perTx: Bound | null; readonly total: Bound | null }

/** Which tokens may move: the lists of the layers by `placeKey`, all of which have to have a token, and its caps. */
export type TokenRules = {
  readonly mode: TokenMode
  /** The layer to name where tokens need a list and there is none; null where that is no reason. */
  readonly unlisted: PolicyLayer | null
  readonly lists: readonly AllowList[]
  readonly caps: ReadonlyMap<string, TokenCaps>
  /** The caps of entries that name a chain's native asset, which needs no list. */
  readonly natives: ReadonlyMap<string, TokenCaps>
  /** What the layers call a token that its own payloads may name by its key alone. */
  readonly called: ReadonlyMap<string, string>
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

/** The caps of entries that name the native asset of a chain, and what refusals call it. */
export function nativeCaps(
  { tokens: { natives }, names }: { readonly tokens: TokenRules; readonly names: PolicyNames },
  { handle, nativeAsset: { symbol } }: Pick<Chain, 'handle' | 'nativeAsset'>,
): { readonly name: string; readonly caps: TokenCaps | undefined } {
  return {
    name: `${chainGroup(handle, names)} ${symbol}`,
    caps: natives.get(placeKey(handle, symbol, names)),
  }
}

/** What a token is called: by its chain and the payload's name, or, where that is no more than its key, by the layers' name. */
export function tokenName(
  { called }: TokenRules,
  { group, key, asset }: { group: string; key: string; asset: string },
): string {
  return `${group} ${key === `${group} ${asset}` ? (called.get(key) ?? asset) : asset}`
}

/** The tokens of layers: `none` moves none, `allowlist` those that are listed, `any` also where nobody lists any. */
export function tokenRules(layers: Layers, mode: TokenMode, names: PolicyNames): TokenRules {
  const isNative = ({ chain, token }: AllowedToken) => names.isNativeAsset(chain, token)
  const given = layeredPolicies(layers).flatMap(({ layer, policy }) =>
    policy.allowed_tokens === null ? [] : [{ layer, entries: policy.allowed_tokens }],
  )
  const lists = given.map(({ layer, entries }) => ({
    layer,
    entries: entries.filter((entry) => !isNative(entry)),
  }))
  const isOpen = mode === 'any' || isSet(layers, 'allowed_tokens')
  return {
    mode,
    unlisted: isOpen ? null : layers.agent.length > 0 ? 'agent' : 'session',
    lists: lists.map(({ layer, entries }) => ({
      layer,
      keys: new Set(entries.map(({ chain, token }) => placeKey(chain, token, names))),
      list: entries.map(({ chain, token }) => `${chain} ${token}`),
    })),
    caps: capsOfTokens(lists, names),
    natives: capsOfTokens(
      given.map(({ layer, entries }) => ({ layer, entries: entries.filter(isNative) })),
      names,
    ),
    called: new Map(
      lists.flatMap(({ entries }) =>
        entries.flatMap(({ chain, token }) =>
          isCalled(chain, token, names) ? [[placeKey(chain, token, names), token] as const] : [],
        ),
      ),
    ),
  }
}

/** Whether a text is a token's own name, and only its chain makes another one of it to compare by. */
function isCalled(chain: string, token: string, { addressKey, assetKey }: PolicyNames): boolean {
  return addressKey(token) === token && assetKey(chain, token) !== token
}

type ListedTokens = { readonly layer: PolicyLayer; readonly entries: readonly AllowedToken[] }

function capsOfTokens(lists: readonly ListedTokens[], names: PolicyNames): ReadonlyMap<string, TokenCaps> {
  const limits = new Map<string, { perTx: Limit[]; total: Limit[] }>()
  for (const { layer, entries } of lists) {
    for (const { chain, token, maxPerTx, maxTotal } of entries) {
      const key = placeKey(chain, token, names)
      const known = limits.get(key) ?? { perTx: [], total: [] }
      known.perTx.push({ layer, max: maxPerTx })
      known.total.push({ layer, max: maxTotal })
      limits.set(key, known)
    }
  }
  return new Map(
    [...limits].map(([key, { perTx, total }]) => [key, { perTx: strictest(perTx), total: strictest(total) }]),
  )
}
