import type { Refusal } from '@symbolon/policy'

/** An archived wallet signs nothing; refused here, since the enclave does not know its status. */
export const walletArchived: Refusal = {
  reason: 'wallet_archived',
  layer: 'organization',
  rule: 'wallet',
  limit: 'active',
  actual: 'archived',
}

/** A session is bound to its wallet. */
export const walletMismatch = (own: string, asked: string): Refusal => ({
  reason: 'wallet_mismatch',
  layer: 'session',
  rule: 'wallet_id',
  limit: own,
  actual: asked,
})
