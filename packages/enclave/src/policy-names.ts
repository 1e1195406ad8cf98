import { addressKey, type Networks, policyChains, tokenHolders } from '@symbolon/networks'
import type { PolicyNames } from '@symbolon/policy'

/** When two texts name the same account or chain, as the networks know it. */
export function policyNames(networks: Networks): PolicyNames {
  return {
    addressKey: (text) => addressKey(networks, text),
    policyChains: (chain) => policyChains(networks, chain),
    tokenHolders,
  }
}
