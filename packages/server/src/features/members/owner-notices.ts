import type { Transaction } from '../../db/pool.ts'
import type { Outbox, SealedRow } from '../outbox/index.ts'
import { escapeHtml } from './escape-html.ts'
import { membersStore } from './members.store.ts'

/** Mails the owners of an organization when something changes that an attacker would change first. */
export type OwnerNotices = {
  /** Queues the mails with the change, in its transaction; `changed` is our own words, `of` names the thing that it is about. */
  queue(
    tx: Transaction,
    organizationId: string,
    notice: { changed: string; of?: string; by: string },
  ): Promise<void>
  /** After the commit: the mails leave at once. */
  nudge(): void
}

/** Makes the notices. `by` is the mail address of whoever changed it, or another name of them. */
export function ownerNotices({
  outbox,
  queueMail,
}: {
  outbox: Outbox
  queueMail: (tx: Transaction, row: SealedRow) => Promise<void>
}): OwnerNotices {
  return {
    async queue(tx, organizationId, { changed, of, by }) {
      const what = `${changed.charAt(0).toUpperCase()}${changed.slice(1)}${of === undefined ? '' : `: ${of}`}.`
      for (const { email: to, company } of await membersStore.owners(tx, organizationId)) {
        const text = `${what}\n\nCompany: ${company} (${organizationId})\nBy: ${by}\n\nIf nobody of yours did this, end the sessions and keys of whoever did, now.\n`
        const mail = {
          to,
          subject: `Wallet portal: ${changed}`,
          text,
          html: `<pre>${escapeHtml(text)}</pre>`,
        }
        await queueMail(tx, outbox.seal(mail))
      }
    },
    nudge: () => outbox.nudge(),
  }
}
