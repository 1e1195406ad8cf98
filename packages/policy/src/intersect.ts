import { lesser } from './bound.ts'
import { intersectContracts, intersectTexts, intersectTokens } from './intersect-lists.ts'
import { isListed, strictestMode } from './layered-policies.ts'
import { defaultRules } from './parse-rules.ts'
import type { AllowedContract, Layers, Policy, Rules } from './policy.ts'
import { chainGroup, type PolicyNames, placeKey } from './policy-names.ts'

/** What is left of all layers: one policy and one set of rules. */
export type Effective = Omit<Policy, 'allowedContracts'> &
  Omit<Rules, 'maxSessionTtlSeconds'> & { readonly allowedContracts: readonly AllowedContract[] }

/**
 * The effective policy of all layers (agents.md "Policy"): numbers the least, allow-lists what is on each, deny-lists what is on any,
 * flags all, the earliest expiry, the stricter token mode. Lists keep the spelling and order of the session's, then the
 * agent's. `evaluate` finds under it what it finds under the layers, but for the layer that it names.
 */
export function intersect(layers: Layers, names: PolicyNames): Effective {
  const rules = layers.organization.length > 0 ? layers.organization : [defaultRules]
  const policies = [...layers.session, ...layers.agent]
  const least = <value extends bigint | number>(values: readonly (value | null)[]) =>
    values.reduce(lesser<value>, null)
  const chainKey = (handle: string) => chainGroup(handle, names)
  const addressKey = (text: string) => names.addressKey(text)
  const blockedChains = union(rules.map((one) => one.blockedChains))
  const blockedRecipients = union(rules.map((one) => one.blockedRecipients))
  const tokenMode = strictestMode(rules.map((one) => one.tokenMode))
  const tokens = intersectTokens(
    policies.map((policy) => policy.allowedTokens),
    names,
  )
  const isOpen = tokenMode !== 'none' && (tokenMode === 'any' || isListed(layers, 'allowedTokens'))
  const allowedTokens = isOpen ? tokens : []
  const keysOf = (list: Policy['allowedTokens']) =>
    new Set(list?.map(({ chain, token }) => placeKey(chain, token, names)))
  const listedKeys = keysOf(policies.flatMap((policy) => policy.allowedTokens ?? []))
  const effectiveKeys = keysOf(allowedTokens)
  // What one layer has for a token and all together do not is no contract to call either.
  const isCallable = (key: string) => effectiveKeys.has(key) || !listedKeys.has(key)
  return {
    maxSpendPerTxNative: least(policies.map((policy) => policy.maxSpendPerTxNative)),
    maxSpendTotalNative: least(policies.map((policy) => policy.maxSpendTotalNative)),
    allowedChains: intersectTexts(
      policies.map((policy) => policy.allowedChains),
      chainKey,
      blockedChains,
    ),
    allowedMethods: intersectTexts(
      policies.map((policy) => policy.allowedMethods),
      String,
      [],
    ),
    allowedRecipients: intersectTexts(
      policies.map((policy) => policy.allowedRecipients),
      addressKey,
      blockedRecipients,
    ),
    allowedTokens,
    allowedContracts: isListed(layers, 'allowedContracts')
      ? intersectContracts(
          policies.map((policy) => policy.allowedContracts),
          names,
        ).filter(({ chain, address }) => isCallable(placeKey(chain, address, names)))
      : [],
    maxFeePerTxNative: least(policies.map((policy) => policy.maxFeePerTxNative)),
    maxTxCount: least(policies.map((policy) => policy.maxTxCount)),
    expiresAtMs: least(policies.map((policy) => policy.expiresAtMs)),
    blockedChains,
    blockedRecipients,
    maxNativePerTxCap: least(rules.map((one) => one.maxNativePerTxCap)),
    maxNativeTotalCap: least(rules.map((one) => one.maxNativeTotalCap)),
    tokenMode,
    allowRawHash: rules.every((one) => one.allowRawHash),
  }
}

function union(lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())]
}
