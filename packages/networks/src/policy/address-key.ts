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

/** What a key of a chain's tokens stands for, as decoders and people write it; a key of another form is a name by itself. */
export function addressOfKey(networks: Networks, key: string, chain: Chain): string {
  return networks.of(chain).policy?.addressOfKey?.(key) ?? key
}
