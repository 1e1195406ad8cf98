import type { Refusal } from '@symbolon/policy'

/** An archived wallet signs for nobody; judged here, since the enclave does not know of it. */
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
