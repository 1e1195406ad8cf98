import type { AuditEvent } from '../../audit/index.ts'
import type { CanceledProcess } from './delay.store.ts'

/** The event of a process that a link in an email has ended. */
export function canceledEvent(
  organizationId: string,
  { id, kind, userIdentityId, walletId }: CanceledProcess,
): AuditEvent {
  const event = {
    organizationId,
    userIdentityId,
    walletId,
    actorType: 'end_user',
    actorId: userIdentityId,
    payload: { [kind === 'recovery' ? 'recovery_process_id' : `${kind}_id`]: id },
  } as const
  // No type of its own: nothing of an import waits for long enough to need a link.
  return kind === 'import'
    ? { ...event, type: 'wallet.imported', success: false, errorCode: 'expired' }
    : { ...event, type: `${kind}.canceled`, success: true }
}
