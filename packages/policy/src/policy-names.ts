import type { Chain, TokenHolders } from '@symbolon/networks'

/**
 * When two texts of policies and payloads name the same: `addressKey`, `policyChains` and `tokenHolders` of `@symbolon/networks`, handed in,
 * since this package takes only types from there.
 */
export type PolicyNames = {
  /** Equal for two texts exactly when they name the same account or token. */
  addressKey(text: string): string
  /** The handles that are one chain for policies; an unknown handle stands for itself. */
  policyChains(chain: Pick<Chain, 'handle'>): readonly string[]
  /** Which of these accounts hold token accounts whose owner a payload does not name. */
  tokenHolders(owners: readonly string[]): TokenHolders
}

/** The one name of a group of chains that are one for policies: the first of its handles, which is the production network's. */
export function chainGroup(handle: string, names: PolicyNames): string {
  return firstOf(names.policyChains({ handle }))
}

/** The first handle in alphabetical order, as `bitcoin` is before `bitcoin-testnet`. */
export function firstOf(handles: readonly string[]): string {
  let first = handles[0] ?? ''
  for (const handle of handles) if (handle < first) first = handle
  return first
}

/** The key of a contract or token on a chain. */
export function placeKey(chain: string, text: string, names: PolicyNames): string {
  return `${chainGroup(chain, names)} ${names.addressKey(text)}`
}
