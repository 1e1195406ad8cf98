import type { Transaction } from '../../db/pool.ts'
import type { MailText } from '../mailed-codes/index.ts'
import { membersStore, namedCompany } from '../members/index.ts'
import { enqueue, type Outbox } from '../outbox/index.ts'

/** The email to a mailbox whose codes are being guessed. */
const guessesMail: MailText = {
  subject: 'Someone is guessing your login codes',
  text: 'Someone entered ten wrong login codes for your wallet within a day. None of them worked.\n\nIf this was you, request a new code and use the newest email. If it was not, you do not have to do anything. Never share a code, and ignore codes that you did not request.\n',
  html: '<p>Someone entered ten wrong login codes for your wallet within a day. None of them worked.</p><p>If this was you, request a new code and use the newest email. If it was not, you do not have to do anything. Never share a code, and ignore codes that you did not request.</p>',
}

const alarmText = (company: string): string =>
  `Someone may be guessing the login codes of your users: far more wrong codes than usual were entered.

Company: ${company}

Until this has stopped for a day, client addresses that nobody has logged in from in the last 30 days get one login code a minute each. If that slows down your own offices or backends, add their addresses to the trusted clients in the portal.
`

/** Queues the notice to a mailbox, of which there is one a day. */
export const queueGuessNotice = (
  outbox: Outbox,
  tx: Transaction,
  { organizationId, email }: { organizationId: string; email: string },
): Promise<void> => enqueue(tx, 'mail', outbox.seal({ to: email, ...guessesMail }), organizationId)

/** Queues the alarm to the owners of the organization, of which there is one a day. */
export async function queueGuessAlarm(
  outbox: Outbox,
  tx: Transaction,
  organizationId: string,
): Promise<void> {
  for (const { email: to, company } of await membersStore.owners(tx, organizationId)) {
    const text = alarmText(namedCompany({ id: organizationId, name: company }))
    const html = `<pre>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`
    const mail = { to, subject: 'Someone may be guessing login codes of your users', text, html }
    await enqueue(tx, 'mail', outbox.seal(mail), organizationId)
  }
}
