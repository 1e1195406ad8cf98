import { lockOrganization } from '../../db/organization-lock.ts'
import type { Transaction } from '../../db/pool.ts'
import type { Audit } from '../audit/index.ts'
import type { LinkAction, LinkWords } from '../mailed-links/index.ts'
import { devicesStore } from './devices.store.ts'

/** Cancels what a device that is being forgotten has begun with the user's keys, in the same transaction. */
export type CancelBegun = (
  tx: Transaction,
  forgotten: { organizationId: string; identityId: string; nonceHash: Uint8Array | null },
) => Promise<void>

/** What the link in the email about a new device does: it ends the logins of the device and what it has begun, and forgets it. */
export const forgetDevice = (audit: Audit, cancelBegun: CancelBegun): LinkAction => ({
  words: {
    title: 'Was this login not yours?',
    question:
      'Press the button to end the login, cancel what it began with your wallet, and forget the device. Whoever uses it has to log in again, as on a new device.',
    button: 'End the login and forget the device',
    done: 'The login has ended and the device is forgotten. If the login was not yours, someone else can read your email: change the password of your mailbox now.',
  },
  past: async (_sql, { isUsed }) => (isUsed ? forgotten : undefined),
  async run(tx, { organizationId, subjectId }) {
    // As in a logout: whatever was asked with the tokens and has not left yet is refused.
    await lockOrganization(tx, organizationId)
    const device = await devicesStore.forget(tx, subjectId)
    if (device === undefined) return false
    const { identityId, nonceHash } = device
    await audit.append(tx, {
      organizationId,
      userIdentityId: identityId,
      type: 'user.logged_out',
      actorType: 'end_user',
      actorId: identityId,
      payload: { reason: 'device_forgotten', device_id: subjectId },
      success: true,
    })
    // A later login may name the same device: what it began must not wait for it.
    await cancelBegun(tx, { organizationId, identityId, nonceHash })
    return true
  },
})

const forgotten: LinkWords = {
  title: 'The device is already forgotten',
  text: 'This link was used before: it ended the login and forgot the device. If the login was not yours, someone else can read your email: change the password of your mailbox now.',
}
