import type { Transaction } from '../../db/pool.ts'
import { enqueue, type Outbox } from '../outbox/index.ts'
import { escapeHtml } from './escape-html.ts'
import { membersStore, type Owner } from './members.store.ts'
import { ownerNoticesStore } from './owner-notices.store.ts'
import { shownName } from './shown-name.ts'

/**
 * What an email to owners says. `changed` says what happened, in words of ours ("an API key was minted"), `of` names what it happened to, and
 * `by` is the email address, or another name, of the person who did it.
 */
export type OwnerNotice = { changed: string; of?: string; by: string }

/** Emails to the owners of an organization about changes that an attacker would make first. */
export type OwnerNotices = {
  /**
   * Queues the emails in the transaction of the change, behind its audit event: 20 at most to an owner about a company within 24 hours.
   * `to`: those who were owners before it, where the change is one of the owners; otherwise those of now.
   */
  queue(tx: Transaction, organizationId: string, notice: OwnerNotice, to?: readonly Owner[]): Promise<void>
  /** Sends the emails at once; call it after the commit. */
  nudge(): void
}

/** Makes the notices, which leave through the outbox. */
export const ownerNotices = (outbox: Outbox): OwnerNotices => ({
  async queue(tx, organizationId, notice, to) {
    const owners = to ?? (await membersStore.owners(tx, organizationId))
    const places = await ownerNoticesStore.take(
      tx,
      organizationId,
      owners.map(({ userId }) => userId),
    )
    for (const { userId, email, company } of owners) {
      const place = places.get(userId)
      if (place === undefined) continue
      const text = textOf(notice, { organizationId, company, isLast: place.isLast })
      const subject = `Wallet portal: ${notice.changed}`
      const mail = { to: email, subject, text, html: `<pre>${escapeHtml(text)}</pre>` }
      await enqueue(tx, 'mail', outbox.seal(mail), organizationId)
    }
  },
  nudge: () => outbox.nudge(),
})

/** The company as emails name it: by its id, with the name that anybody may have given it in quotes. */
export const namedCompany = ({ id, name }: { id: string; name: string }): string =>
  `${id}, named "${shownName(name)}" by its members`

function textOf(
  { changed, of, by }: OwnerNotice,
  { organizationId, company, isLast }: { organizationId: string; company: string; isLast: boolean },
): string {
  const change = `${changed.charAt(0).toUpperCase()}${changed.slice(1)}${of === undefined ? '' : `: ${of}`}.`
  const where = `Company: ${namedCompany({ id: organizationId, name: company })}`
  const advice = "If nobody on your team did this, end that person's sessions and revoke their keys now."
  return `${[change, `${where}\nBy: ${by}`, advice, ...(isLast ? [lastText] : [])].join('\n\n')}\n`
}

const lastText =
  "We send you at most 20 of these emails per company within 24 hours, and this is the last one for now. Further changes are in the company's audit log."
