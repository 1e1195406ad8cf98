import type { AuditEvent } from '../../audit/index.ts'

type Sent = {
  organizationId: string
  walletId: string
  userIdentityId: string
  chain: string
  txHash: string
}

/** The one event of a transaction that was submitted: accepted, or why not. */
export const broadcastEvent = (
  { organizationId, walletId, userIdentityId, chain, txHash }: Sent,
  actor: Pick<AuditEvent, 'actorType' | 'actorId'>,
  errorCode?: 'broadcast_failed' | 'wallet_archived',
): AuditEvent => ({
  organizationId,
  type: 'wallet.tx_broadcast',
  userIdentityId,
  walletId,
  ...actor,
  payload: { chain, tx_hash: txHash },
  success: errorCode === undefined,
  ...(errorCode !== undefined && { errorCode }),
})
