import { type MailText, mailTime, mailTimeHtml } from '../../mailed-codes/index.ts'

/** The words around the address and the time of what happened to a wallet: `The private key of` … `was imported`. */
export type WalletMailWords = { subject: string; before: string; after: string; advice: string }

/** The email to the owner about what happened to a wallet, with the wallet's address and the time (UTC). Nothing in it needs escaping. */
export function walletMail(
  { subject, before, after, advice }: WalletMailWords,
  { address, at }: { address: string; at: Date },
): MailText {
  const time = mailTime(at)
  return {
    subject,
    text: `${before} ${address} ${after} on ${time}.\n\n${advice}\n`,
    html: `<p>${before} <b>${address}</b> ${after} on ${mailTimeHtml(at)}.</p><p>${advice}</p>`,
  }
}
