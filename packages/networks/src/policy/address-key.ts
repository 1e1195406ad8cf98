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

/** `addressKey` of a token or contract on a chain, which may make two names one: an asset's own and that of the contract that stands for it there. */
export function assetKey(networks: Networks, handle: string, text: string): string {
  const chain = networks.chain(handle)
  const key = addressKey(networks, text)
  return (chain && networks.of(chain).policy?.assetKey?.(key, chain)) ?? key
}

/** Every key that a text may be compared by: what a list without chains means by it. */
export function assetKeys(networks: Networks, text: string): readonly string[] {
  const ofChains = networks.chains.map(({ handle }) => assetKey(networks, handle, text))
  return [...new Set([addressKey(networks, text), ...ofChains])]
}

/** Whether a text names the native asset of a chain, as its symbol or as a token. */
export function isNativeAsset(networks: Networks, handle: string, text: string): boolean {
  return networks.chain(handle)?.nativeAsset.symbol === assetKey(networks, handle, text)
}

/** What a key of a chain's tokens stands for, as decoders and people write it; a key of another form is a name by itself. */
export function addressOfKey(networks: Networks, key: string, chain: Chain): string {
  return networks.of(chain).policy?.addressOfKey?.(key, chain) ?? key
}
