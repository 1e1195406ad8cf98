import { codeMail, type MailText } from '../../mailed-codes/index.ts'
import { type WalletMailWords, walletMail } from '../core/wallet-mail.ts'
import type { TransferKind } from './key-transfers.store.ts'

const codeAdvice: Record<TransferKind, string> = {
  export:
    'Anyone who has this code can take the private key of your wallet, and everything in the wallet with it, for good. Enter it only where you started the export yourself, and do not share it. It works once, for 10 minutes. If you did not request it, someone may be using your login: do not enter or share the code.',
  import:
    'With this code, you import a private key as your wallet. Enter it only where you started the import yourself, and do not share it. Never import a key that someone gave you: they have it too. The code works once, for 10 minutes. If you did not request it, ignore this email.',
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
      'Anyone who has the exported key controls the wallet, here and elsewhere. You cannot undo this. If this was not you, move everything in the wallet to another wallet at once.',
  },
  import: {
    subject: 'A private key was imported as your wallet',
    before: 'The private key of',
    after: 'was imported as your wallet',
    advice:
      'Whoever has a copy of the key still controls the wallet. If this was not you, send nothing to this address, and tell the company behind the app.',
  },
}

/** The email about a completed transfer. */
export const transferredMail = (kind: TransferKind, transferred: { address: string; at: Date }): MailText =>
  walletMail(doneWords[kind], transferred)
