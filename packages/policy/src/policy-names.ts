import type { Chain, TokenHolders } from '@symbolon/networks'

/**
 * When two texts of policies and payloads name the same: the functions of `@symbolon/networks` of these names, handed in, since this package
 * takes only types from there.
 */
export type PolicyNames = {
  /** Equal for two texts exactly when they name the same account. */
  addressKey(text: string): string
  /**
   * What an allow list may have a recipient by, the narrowest first, `addressKey` last. The first is what an entry is kept by: one for a part
   * of an account allows that part alone.
   */
  recipientKeys(text: string): readonly [string, ...string[]]
  /** Equal for two texts exactly when they name the same token or contract of a chain; of its native asset the symbol. */
  assetKey(chain: string, text: string): string
  /** Every key of both kinds that a text may have, on whichever chain. */
  assetKeys(text: string): readonly string[]
  /** Whether a text names the native asset of a chain. */
  isNativeAsset(chain: string, text: string): boolean
  /** The handles that are one chain for policies; an unknown handle stands for itself. */
  policyChains(chain: Pick<Chain, 'handle'>): readonly string[]
  /** Which of these accounts hold token accounts whose owner a payload does not name. */
  tokenHolders(owners: readonly string[]): TokenHolders
  /**
   * The same names, which work out each answer once: for one compilation, whose lists may name a text several times, or one evaluation, whose
   * payload may move an asset thousands of times. Nothing that lasts may hold them.
   */
  remembered(): PolicyNames
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
  return `${chainGroup(chain, names)} ${names.assetKey(chain, text)}`
}
