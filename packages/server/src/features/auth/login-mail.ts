import { codeMail, type MailText } from '../mailed-codes/index.ts'

/** The email that carries a login code. */
export const loginMail = (code: string): MailText =>
  codeMail(
    'login code',
    code,
    'It works once, for 10 minutes. If you did not request it, ignore this email and do not share the code.',
  )
