import { lockOrganization } from '../../../db/organization-lock.ts'
import type { Audit } from '../../audit/index.ts'
import type { CodePlace } from '../../mailed-codes/index.ts'
import type { LinkAction, LinkActions } from '../../mailed-links/index.ts'
import { delayStore } from './delay.store.ts'

/** What the links in the emails about waiting recoveries and exports do: they cancel the one process that they name. */
export const cancelLinks = (audit: Audit): LinkActions => ({
  'cancel-recovery': cancels(audit, 'recovery', {
    process: 'recovery',
    type: 'recovery.canceled',
    idName: 'recovery_process_id',
  }),
  'cancel-export': cancels(audit, 'transfer', {
    process: 'export',
    type: 'export.canceled',
    idName: 'export_id',
  }),
})

const cancels = (
  audit: Audit,
  place: CodePlace,
  {
    process,
    type,
    idName,
  }: { process: string; type: 'recovery.canceled' | 'export.canceled'; idName: string },
): LinkAction => ({
  words: {
    title: `Cancel this ${process}?`,
    question: `Press the button if you did not start the ${process} yourself. Your wallet and what it holds stay as they are.`,
    button: `Cancel the ${process}`,
    done: `The ${process} can no longer be finished. If you did not start it, someone else can read your email: change the password of your mailbox now.`,
  },
  async run(tx, { organizationId, subjectId }) {
    // As everything that releases a key: what has not left yet stays.
    await lockOrganization(tx, organizationId)
    const canceled = await delayStore.cancel(tx, place, subjectId)
    if (canceled === undefined) return
    const { userIdentityId, walletId } = canceled
    await audit.append(tx, {
      organizationId,
      userIdentityId,
      walletId,
      type,
      actorType: 'end_user',
      actorId: userIdentityId,
      payload: { [idName]: subjectId },
      success: true,
    })
  },
})
