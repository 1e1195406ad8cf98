import { addressKey, policyChains, tokenHolders } from '@symbolon/networks'
import type { PolicyNames } from '@symbolon/policy'

/** When two texts name the same account or chain, as the networks know it. */
export const policyNames: PolicyNames = { addressKey, policyChains, tokenHolders }
