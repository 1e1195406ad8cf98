import { lockOrganization } from '../../../db/organization-lock.ts'
import type { Audit } from '../../audit/index.ts'
import type { CodePlace } from '../../mailed-codes/index.ts'
import type { LinkAction, LinkActions, LinkWords } from '../../mailed-links/index.ts'
import { canceledEvent } from './canceled-event.ts'
import { delayStore, type LinkedProcess } from './delay.store.ts'

/** What the links in the emails about waiting recoveries and exports do: they cancel the one process that they name. */
export const cancelLinks = (audit: Audit): LinkActions => ({
  'cancel-recovery': cancels(audit, 'recovery', 'recovery'),
  'cancel-export': cancels(audit, 'transfer', 'export'),
})

type Process = 'recovery' | 'export'

const cancels = (audit: Audit, place: CodePlace, process: Process): LinkAction => ({
  words: {
    title: `Cancel this ${process}?`,
    question: `Press the button if you did not start the ${process} yourself. Your wallet and everything in it stay as they are.`,
    button: `Cancel the ${process}`,
    done: `The ${process} can no longer be finished. ${secureMailbox}`,
  },
  past: async (sql, { subjectId }) => pastOf(process, await delayStore.linked(sql, place, subjectId)),
  async run(tx, { organizationId, subjectId }) {
    // As everything that releases a key: what has not left yet stays.
    await lockOrganization(tx, organizationId)
    const canceled = await delayStore.cancel(tx, place, subjectId)
    if (canceled === undefined) return false
    await audit.append(tx, canceledEvent(organizationId, canceled))
    return true
  },
})

const secureMailbox =
  'If you did not start it, someone else can read your email: change the password of your mailbox now.'

const finished = {
  recovery:
    'The wallet was recovered on the new device, and a link can no longer stop that. If it was not you, someone else has the key: recover the wallet yourself, move what it holds to another wallet, and change the password of your mailbox.',
  export:
    'The private key was shown on the new device, and a link can’t take it back. If it was not you, someone else has the key: move what the wallet holds to another wallet now, and change the password of your mailbox.',
} as const

/** What has happened to a process that can no longer be canceled. */
function pastOf(process: Process, linked: LinkedProcess | undefined): LinkWords | undefined {
  if (linked?.isCanceled)
    return {
      title: `This ${process} is already canceled`,
      text: `A link in one of our emails canceled it. It can no longer be finished. ${secureMailbox}`,
    }
  switch (linked?.state) {
    case 'completed':
      return { title: `This ${process} is already finished`, text: finished[process] }
    case 'locked':
      return {
        title: `This ${process} was stopped`,
        text: `After too many wrong codes, it can no longer be finished. ${secureMailbox}`,
      }
    case 'expired':
      return {
        title: `This ${process} is already over`,
        text: `It was not finished in time, or a newer one took its place. It can no longer be finished. ${secureMailbox}`,
      }
    default:
      return undefined
  }
}
