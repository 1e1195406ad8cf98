import type { Chain } from '../chain.ts'
import type { Networks } from '../network-set.ts'
import { type TokenHolders, tokenHolders } from '../solana/token-holders.ts'
import { addressKey, assetKey, assetKeys, isNativeAsset } from './address-key.ts'
import { policyChains } from './policy-chains.ts'

/** When two texts name the same account, token or chain, as the networks know it: the `PolicyNames` of `@symbolon/policy`. */
export function policyNames(networks: Networks): {
  addressKey(text: string): string
  assetKey(chain: string, text: string): string
  assetKeys(text: string): readonly string[]
  isNativeAsset(chain: string, text: string): boolean
  policyChains(chain: Pick<Chain, 'handle'>): readonly string[]
  tokenHolders(owners: readonly string[]): TokenHolders
} {
  return {
    addressKey: (text) => addressKey(networks, text),
    assetKey: (chain, text) => assetKey(networks, chain, text),
    assetKeys: (text) => assetKeys(networks, text),
    isNativeAsset: (chain, text) => isNativeAsset(networks, chain, text),
    policyChains: (chain) => policyChains(networks, chain),
    tokenHolders,
  }
}
