import type { Chain } from '../chain.ts'
import type { Networks } from '../network-set.ts'
import { type TokenHolders, tokenHolders } from '../solana/token-holders.ts'
import { addressKey, assetKeyOf, assetKeys, recipientKeys, spellingChains } from './address-key.ts'
import { policyChains } from './policy-chains.ts'

/** When two texts name the same account, token or chain, as the networks know it: the `PolicyNames` of `@symbolon/policy`. */
type Names = {
  addressKey(text: string): string
  recipientKeys(text: string): readonly [string, ...string[]]
  assetKey(chain: string, text: string): string
  assetKeys(text: string): readonly string[]
  isNativeAsset(chain: string, text: string): boolean
  policyChains(chain: Pick<Chain, 'handle'>): readonly string[]
  tokenHolders(owners: readonly string[]): TokenHolders
  remembered(): Names
}

/** The names of a set of networks. */
export function policyNames(networks: Networks): Names {
  const spelling = spellingChains(networks)
  return namesOf(networks, spelling, (make) => make)
}

/** Gives a function that works out each answer, or one that does so once for each text. */
type Keep = <value>(make: (text: string) => value) => (text: string) => value

function namesOf(networks: Networks, spelling: readonly Chain[], keep: Keep): Names {
  const keyOf = keep((text) => addressKey(networks, text))
  const keysOn = keep((handle) => keep((text) => assetKeyOf(networks, handle, keyOf(text))))
  const keysOf = keep((text) => assetKeys(networks, spelling, keyOf(text)))
  const chainsOf = keep((handle) => policyChains(networks, { handle }))
  return {
    addressKey: keyOf,
    recipientKeys: keep((text) => recipientKeys(networks, text)),
    assetKey: (chain, text) => keysOn(chain)(text),
    assetKeys: keysOf,
    isNativeAsset: (chain, text) => networks.chain(chain)?.nativeAsset.symbol === keysOn(chain)(text),
    policyChains: ({ handle }) => chainsOf(handle),
    tokenHolders,
    remembered: () => namesOf(networks, spelling, kept),
  }
}

function kept<value>(make: (text: string) => value): (text: string) => value {
  const known = new Map<string, value>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = make(text)
    known.set(text, value)
    return value
  }
}
