import type { Transaction } from '../../db/pool.ts'
import { enqueue, type Outbox } from '../outbox/index.ts'
import { escapeHtml } from './escape-html.ts'
import { membersStore } from './members.store.ts'

/** Emails to the owners of an organization about changes that an attacker would make first. */
export type OwnerNotices = {
  /**
   * Queues the emails in the transaction of the change. `changed` is our own text, `of` names the thing that was changed, `by` is the
   * email address or another name of whoever changed it.
   */
  queue(
    tx: Transaction,
    organizationId: string,
    notice: { changed: string; of?: string; by: string },
  ): Promise<void>
  /** Sends the emails at once; call it after the commit. */
  nudge(): void
}

/** Makes the notices, which leave through the outbox. */
export const ownerNotices = (outbox: Outbox): OwnerNotices => ({
  async queue(tx, organizationId, { changed, of, by }) {
    const change = `${changed.charAt(0).toUpperCase()}${changed.slice(1)}${of === undefined ? '' : `: ${of}`}.`
    for (const { email: to, company } of await membersStore.owners(tx, organizationId)) {
      const text = `${change}\n\nCompany: ${company} (${organizationId})\nBy: ${by}\n\nIf nobody on your team did this, end that person's sessions and revoke their keys now.\n`
      const mail = {
        to,
        subject: `Wallet portal: ${changed}`,
        text,
        html: `<pre>${escapeHtml(text)}</pre>`,
      }
      await enqueue(tx, 'mail', outbox.seal(mail), organizationId)
    }
  },
  nudge: () => outbox.nudge(),
})
