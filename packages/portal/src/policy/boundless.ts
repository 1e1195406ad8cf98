import { policyFields } from '@symbolon/policy/fields'
import type { EffectivePolicy } from '@symbolon/sdk/portal'
import type { PolicyDraft, PolicyField } from './draft-kinds.ts'

/** The fields that limit what a wallet can lose: how much in total, and to whom. */
export const lossLimits = policyFields.filter(isLossLimit)

/** Whether a policy lets an agent send everything in its wallet to anyone. */
export function isBoundless(policy: EffectivePolicy | PolicyDraft): boolean {
  const { allowed_chains, allowed_methods } = policy
  const maySend = allowed_methods === null || allowed_methods.includes('sendTransaction')
  return maySend && allowed_chains?.length !== 0 && lossLimits.every(({ name }) => policy[name] == null)
}

/** The consequence of having no limits, in a sentence. */
export function boundlessText({
  hasAllChains,
  isEndless,
}: {
  hasAllChains: boolean
  isEndless: boolean
}): string {
  return `It can send all of the wallet’s native currency to anyone${hasAllChains ? ', on every chain' : ''}${isEndless ? ', without an end date' : ''}.`
}

type LossLimit = Extract<PolicyField, { choice: object }> &
  ({ cap: { of: 'native'; per: 'session' } } | { items: 'account' })

function isLossLimit(field: PolicyField): field is LossLimit {
  if (!('choice' in field)) return false
  return 'cap' in field ? field.cap.per === 'session' : 'items' in field && field.items === 'account'
}
