import type { MailServer } from '../mail/mail-server.ts'
import { until } from '../wait/until.ts'

type Mailed = { mailServer: MailServer }

const deviceNotice = 'Subject: New device logged in to your wallet'

/**
 * The emails that have come to an address so far, with these words in them; without words all but those about new devices, which come some
 * time after each login.
 */
export const mailsTo = ({ mailServer }: Mailed, email: string, words = ''): MailServer['mails'] =>
  mailServer.mails.filter(
    ({ to, raw }) => to.includes(email) && (words === '' ? !raw.includes(deviceNotice) : raw.includes(words)),
  )

/** Resolves with the newest email to an address that has these words in it, as it came, once there is one. */
export async function mailTo(mailed: Mailed, email: string, words = ''): Promise<string> {
  await until(() => mailsTo(mailed, email, words).length > 0)
  return mailsTo(mailed, email, words).at(-1)?.raw ?? ''
}

/** Resolves with the newest code that was emailed to the address, once one came after its first `after` emails. */
export async function mailedCode(mailed: Mailed, email: string, after = 0): Promise<string> {
  const code = () =>
    mailsTo(mailed, email)
      .slice(after)
      .flatMap(({ raw }) => /^Subject: (\d{6}) /m.exec(raw)?.[1] ?? [])
      .at(-1)
  await until(() => code() !== undefined)
  return code() ?? ''
}

/** A code that is not the given one. */
export const otherCode = (code: string): string => (code === '000000' ? '000001' : '000000')
