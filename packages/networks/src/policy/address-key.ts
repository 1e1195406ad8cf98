import type { Chain } from '../chain.ts'
import type { Networks } from '../network-set.ts'

/**
 * What addresses, recipients and tokens of policies and payloads are compared by: equal for two texts exactly when they
 * name the same account. The first network that knows a text by other spellings says which one counts; anything else is itself.
 */
export function addressKey(networks: Networks, text: string): string {
  for (const { policy } of networks.list) {
    const key = policy?.addressKey?.(text)
    if (key !== undefined) return key
  }
  return text
}

/**
 * What an allow list may have a recipient by, the narrowest first, `addressKey` last. The first is what an entry is kept by: one for a part of an
 * account allows that part alone, one for the account all of them.
 */
export function recipientKeys(networks: Networks, text: string): readonly [string, ...string[]] {
  const key = addressKey(networks, text)
  const isPart = key !== text && networks.list.some(({ policy }) => policy?.isPart?.(text))
  return isPart ? [text, key] : [key]
}

/** `addressKey` of a token or contract on a chain, which may make two names one: an asset's own and that of the contract that stands for it there. */
export function assetKey(networks: Networks, handle: string, text: string): string {
  return assetKeyOf(networks, handle, addressKey(networks, text))
}

/** `assetKey` of what is an `addressKey` already. */
export function assetKeyOf(networks: Networks, handle: string, key: string): string {
  const chain = networks.chain(handle)
  return (chain && networks.of(chain).policy?.assetKey?.(key, chain)) ?? key
}

/** Chains that together have every spelling of assets there is: of those that name their assets alike one is enough. */
export function spellingChains({ list }: Networks): readonly Chain[] {
  return list.flatMap(({ chains, policy }) => {
    if (policy?.assetKey === undefined) return []
    if (!policy.isAssetKeyAlike) return chains
    return [...new Map(chains.map((chain) => [JSON.stringify(chain.nativeAsset), chain])).values()]
  })
}

/** Every key that a text may be compared by, by its `addressKey`: what a list without chains means by it. `chains` are `spellingChains`. */
export function assetKeys(networks: Networks, chains: readonly Chain[], key: string): readonly string[] {
  const keys = [key]
  for (const chain of chains) {
    const other = networks.of(chain).policy?.assetKey?.(key, chain)
    if (other !== undefined && !keys.includes(other)) keys.push(other)
  }
  return keys
}

/** Whether a text names the native asset of a chain, as its symbol or as a token. */
export function isNativeAsset(networks: Networks, handle: string, text: string): boolean {
  return networks.chain(handle)?.nativeAsset.symbol === assetKey(networks, handle, text)
}

/** What a key of a chain's tokens stands for, as decoders and people write it; a key of another form is a name by itself. */
export function addressOfKey(networks: Networks, key: string, chain: Chain): string {
  return networks.of(chain).policy?.addressOfKey?.(key, chain) ?? key
}
