import { codeMail, type MailText } from '../../mailed-codes/index.ts'
import { walletMail } from '../core/wallet-mail.ts'

/** The email that carries a recovery code. */
export const recoveryCodeMail = (code: string): MailText =>
  codeMail(
    'wallet recovery code',
    code,
    'Anyone who has this code can take over your wallet. Enter it only where you started the recovery yourself, and do not share it. It works for 15 minutes. If you did not request it, ignore this email.',
  )

/** The email about a completed recovery. */
export const recoveredMail = (recovered: { address: string; at: Date }): MailText =>
  walletMail(
    {
      subject: 'Your wallet was recovered',
      before: 'Your wallet',
      after: 'was recovered',
      advice:
        'Set up your other devices again: their share of the key no longer works. If this was not you, someone else can read your email: move everything in the wallet to another wallet at once.',
    },
    recovered,
  )
