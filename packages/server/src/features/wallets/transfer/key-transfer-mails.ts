import { codeMail, type MailText } from '../../mailed-codes/index.ts'
import { type WalletMailWords, walletMail } from '../core/wallet-mail.ts'
import type { TransferKind } from './key-transfers.store.ts'

const codeAdvice: Record<TransferKind, string> = {
  export:
    'Anyone with this code can take the private key of your wallet, and with it everything the wallet holds, permanently. Enter it only where you started the export yourself, and share it with no one. It works once, for 10 minutes. If you did not request it, ignore this email: someone may be using your login.',
  import:
    'This code imports a private key from elsewhere as your wallet. Enter it only where you started the import yourself, and share it with no one. Never import a key that someone gave you: it is theirs as well. The code works once, for 10 minutes. If you did not request it, ignore this email.',
}

/** The email that carries the code of a transfer. */
export const transferCodeMail = (kind: TransferKind, code: string): MailText =>
  codeMail(`wallet key ${kind} code`, code, codeAdvice[kind])

const doneWords: Record<TransferKind, WalletMailWords> = {
  export: {
    subject: 'The private key of your wallet was exported',
    before: 'The private key of your wallet',
    after: 'was exported',
    advice:
      'Anyone with the exported key controls the wallet, here and elsewhere, and this cannot be undone. If this was not you, move everything the wallet holds to another wallet at once.',
  },
  import: {
    subject: 'A private key was imported as your wallet',
    before: 'The private key of',
    after: 'was imported as your wallet',
    advice:
      'Copies of the key elsewhere still control the wallet. If this was not you, send nothing to this address and contact the operator of the service.',
  },
}

/** The email about a completed transfer. */
export const transferredMail = (kind: TransferKind, transferred: { address: string; at: Date }): MailText =>
  walletMail(doneWords[kind], transferred)
