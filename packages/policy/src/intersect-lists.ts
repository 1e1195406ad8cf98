import { lesser } from './bound.ts'
import type { AllowedContract, AllowedToken, AssetCap } from './policy.ts'
import { type PolicyNames, placeKey } from './policy-names.ts'

/**
 * What is on each of several allow-lists and on no deny-list, as the first list spells it; null, which is everything, where none is given.
 * `keysOf` says by what a list may have a text, the narrowest first: what another list has only a part of, that part is left.
 */
export function intersectTexts<text extends string>(
  lists: readonly (readonly text[] | null)[],
  keysOf: (text: text | string) => readonly [string, ...string[]],
  blocked: readonly string[],
): readonly text[] | null {
  const given = lists.filter((list) => list !== null)
  const [first, ...others] = given
  if (first === undefined) return null
  const widest = (text: string) => keysOf(text).at(-1)
  const blockedKeys = new Set(blocked.map(widest))
  const allKeys = given.map((list) => new Set(list.map((text) => keysOf(text)[0])))
  const firstKeys = allKeys[0]
  const parts = others.flat().filter((text) => !firstKeys?.has(keysOf(text)[0]))
  return [...first, ...parts].filter((text) => {
    const keys = keysOf(text)
    return !blockedKeys.has(widest(text)) && allKeys.every((all) => keys.some((key) => all.has(key)))
  })
}

/**
 * The tokens that are on each list, with the least caps of any; null where no list is given. A chain's native asset needs no list: what any
 * of them says of it holds.
 */
export function intersectTokens(
  lists: readonly (readonly AllowedToken[] | null)[],
  names: PolicyNames,
): readonly AllowedToken[] | null {
  const given = lists.filter((list) => list !== null)
  const isNative = ({ chain, token }: AllowedToken) => names.isNativeAsset(chain, token)
  const byKey = given.map((list) =>
    tokensByKey(
      list.filter((token) => !isNative(token)),
      names,
    ),
  )
  const [first] = byKey
  if (first === undefined) return null
  const natives = tokensByKey(given.flat().filter(isNative), names)
  return [...[...first].flatMap(([key, token]) => onEach(byKey, key, token, lesserCaps)), ...natives.values()]
}

function tokensByKey(tokens: readonly AllowedToken[], names: PolicyNames): ReadonlyMap<string, AllowedToken> {
  const byKey = new Map<string, AllowedToken>()
  for (const token of tokens) {
    const key = placeKey(token.chain, token.token, names)
    byKey.set(key, lesserCaps(byKey.get(key) ?? token, token))
  }
  return byKey
}

/** The contracts that are on each list, with the selectors that all of them have. */
export function intersectContracts(
  lists: readonly (readonly AllowedContract[] | null)[],
  names: PolicyNames,
): readonly AllowedContract[] {
  const byKey = lists
    .filter((list) => list !== null)
    .map((list) => {
      const contracts = new Map<string, AllowedContract>()
      for (const contract of list) {
        const key = placeKey(contract.chain, contract.address, names)
        const known = contracts.get(key)
        contracts.set(key, known ? withEither(known, contract) : contract)
      }
      return contracts
    })
  const [first] = byKey
  return [...(first ?? [])]
    .flatMap(([key, contract]) => onEach(byKey, key, contract, withBoth))
    .filter(({ selectors }) => selectors === null || selectors.length > 0)
}

/** The intersection of the entries of a key, or nothing where a list lacks it. */
function onEach<entry>(
  lists: readonly ReadonlyMap<string, entry>[],
  key: string,
  first: entry,
  intersect: (one: entry, other: entry) => entry,
): entry[] {
  let left = first
  for (const list of lists) {
    const entry = list.get(key)
    if (entry === undefined) return []
    left = intersect(left, entry)
  }
  return [left]
}

function lesserCaps(one: AllowedToken, other: AllowedToken): AllowedToken {
  return {
    ...one,
    maxPerTx: lesser(one.maxPerTx, other.maxPerTx),
    maxTotal: lesser(one.maxTotal, other.maxTotal),
  }
}

function withEither(one: AllowedContract, other: AllowedContract): AllowedContract {
  if (one.selectors === null || other.selectors === null) return { ...one, selectors: null }
  const selectors = [...new Set([...one.selectors, ...other.selectors])]
  return { ...one, selectors, ...(other.onlyKnown && { onlyKnown: true }) }
}

function withBoth(one: AllowedContract, other: AllowedContract): AllowedContract {
  if (one.selectors === null || other.selectors === null) {
    const selectors = one.selectors ?? other.selectors
    return { ...one, selectors, ...(selectors !== null && { onlyKnown: true }) }
  }
  const others = new Set(other.selectors)
  const selectors = one.selectors.filter((selector) => others.has(selector))
  return { ...one, selectors, ...(other.onlyKnown && { onlyKnown: true }) }
}

/** The least cap of each asset that any list has; null where no list is given. */
export function intersectCaps(lists: readonly (readonly AssetCap[] | null)[]): readonly AssetCap[] | null {
  const given = lists.filter((list) => list !== null)
  if (given.length === 0) return null
  const least = new Map<string, bigint>()
  for (const { asset, max } of given.flat()) least.set(asset, lesser(least.get(asset) ?? null, max) ?? max)
  return [...least].map(([asset, max]) => ({ asset, max }))
}

/** What is on any of several lists. */
export function unionTexts(lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())]
}
