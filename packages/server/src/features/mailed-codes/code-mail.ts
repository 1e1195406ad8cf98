import type { Mail } from '../../ports/mailer.ts'

/** An email without its recipient. */
export type MailText = Omit<Mail, 'id' | 'to'>

/** A time as emails write it: to the minute, in UTC, with nothing in it that looks like a code. */
export const mailTime = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A time in HTML, as `shown`, with the exact one for programs. */
export const mailTimeHtml = (at: Date, shown: Date = at): string =>
  `<time datetime="${at.toISOString()}">${mailTime(shown)}</time>`

/** The email that carries a code. `name` says what the code is, `advice` what to do with it; neither needs escaping. */
export const codeMail = (name: string, code: string, advice: string): MailText => ({
  subject: `${code} is your ${name}`,
  text: `Your ${name} is ${code}\n\n${advice}\n`,
  html: `<p>Your ${name} is</p><p style="font-size:28px;letter-spacing:4px"><b>${code}</b></p><p>${advice}</p>`,
})
