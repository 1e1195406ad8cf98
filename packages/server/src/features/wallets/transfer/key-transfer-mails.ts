import type { TransferKind } from './key-transfers.store.ts'

type MailText = { subject: string; text: string; html: string }

const codeTexts = {
  export: {
    name: 'wallet key export code',
    advice:
      'Whoever has this code can take the private key of your wallet, and with it everything the wallet holds, for good. Enter it only where you started the export yourself, and tell it to nobody. It works once, for 10 minutes. If you did not ask for it, ignore this mail: somebody may be using your login.',
  },
  import: {
    name: 'wallet key import code',
    advice:
      'With this code a private key from elsewhere becomes your wallet here. Enter it only where you started the import yourself, and tell it to nobody: a key that somebody else has given you is theirs as well. It works once, for 10 minutes. If you did not ask for it, ignore this mail.',
  },
} as const satisfies Record<TransferKind, object>

/** The mail that carries the code of a transfer. The code is six digits: nothing in it needs escaping. */
export function transferCodeMail(kind: TransferKind, code: string): MailText {
  const { name, advice } = codeTexts[kind]
  return {
    subject: `${code} is your ${name}`,
    text: `Your ${name} is ${code}\n\n${advice}\n`,
    html: `<p>Your ${name} is</p><p style="font-size:28px;letter-spacing:4px"><b>${code}</b></p><p>${advice}</p>`,
  }
}

const doneTexts = {
  export: {
    subject: 'The private key of your wallet was exported',
    what: 'The private key of your wallet',
    done: 'was exported',
    advice:
      'Whoever holds the exported key controls the wallet, here and elsewhere, and nothing takes that back. If this was not you, move what the wallet holds to another wallet at once.',
  },
  import: {
    subject: 'A private key was imported as your wallet',
    what: 'The private key of',
    done: 'was imported as your wallet',
    advice:
      'Copies of the key elsewhere still control the wallet. If this was not you, do not send anything to this address and tell whoever runs the service.',
  },
} as const satisfies Record<TransferKind, object>

/** The mail that tells of a finished transfer, with its time (UTC) and the wallet's address: ASCII of our own making. */
export function transferredMail(
  kind: TransferKind,
  { address, at }: { address: string; at: Date },
): MailText {
  const { subject, what, done, advice } = doneTexts[kind]
  const time = at.toISOString()
  return {
    subject,
    text: `${what} ${address} ${done} at ${time}.\n\n${advice}\n`,
    html: `<p>${what} <b>${address}</b> ${done} at ${time}.</p><p>${advice}</p>`,
  }
}
