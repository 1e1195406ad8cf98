import type { MailServer } from '../mail/mail-server.ts'
import { until } from '../wait/until.ts'

type Mailed = { mailServer: MailServer }

/** The emails that have come to an address so far, with these words in them. */
export const mailsTo = ({ mailServer }: Mailed, email: string, words = ''): MailServer['mails'] =>
  mailServer.mails.filter(({ to, raw }) => to.includes(email) && raw.includes(words))

/** Resolves with the newest email to an address that has these words in it, as it came, once there is one. */
export async function mailTo(mailed: Mailed, email: string, words = ''): Promise<string> {
  await until(() => mailsTo(mailed, email, words).length > 0)
  return mailsTo(mailed, email, words).at(-1)?.raw ?? ''
}

/** Resolves with the newest code that was emailed to the address, once more than `after` emails have come to it. */
export async function mailedCode(mailed: Mailed, email: string, after = 0): Promise<string> {
  const code = () => /^Subject: (\d{6}) /m.exec(mailsTo(mailed, email).at(-1)?.raw ?? '')?.[1]
  await until(() => mailsTo(mailed, email).length > after && code() !== undefined)
  return code() ?? ''
}

/** A code that is not the given one. */
export const otherCode = (code: string): string => (code === '000000' ? '000001' : '000000')
