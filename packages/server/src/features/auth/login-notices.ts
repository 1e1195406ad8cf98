import type { Transaction } from '../../db/pool.ts'
import type { MailText } from '../mailed-codes/index.ts'
import { membersStore } from '../members/index.ts'
import { enqueue, type Outbox } from '../outbox/index.ts'

/** The email to a mailbox whose codes are being guessed. */
const guessesMail: MailText = {
  subject: 'Someone is guessing your login codes',
  text: 'Ten wrong login codes were entered for your wallet within a day. None of them opened it.\n\nIf it was you, ask for a new code and use the newest email. If it was not you, you need not do anything: never share a code, and ignore codes that you did not ask for.\n',
  html: '<p>Ten wrong login codes were entered for your wallet within a day. None of them opened it.</p><p>If it was you, ask for a new code and use the newest email. If it was not you, you need not do anything: never share a code, and ignore codes that you did not ask for.</p>',
}

const alarmText = (company: string): string =>
  `Far more login codes of your users are guessed wrong than usual. Someone may be trying codes at many addresses.

Company: ${company}

While this lasts, client addresses that nobody has logged in from within 30 days get one login code a minute each. Add the addresses of your own offices and backends to the trusted clients if they are slowed down.
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
    const text = alarmText(`${company} (${organizationId})`)
    const html = `<pre>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`
    const mail = { to, subject: 'Login codes of your users are being guessed', text, html }
    await enqueue(tx, 'mail', outbox.seal(mail), organizationId)
  }
}
