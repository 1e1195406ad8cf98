type MailText = { subject: string; text: string; html: string }

/** The mail that carries a recovery code. The code is six digits: nothing in it needs escaping. */
export function recoveryCodeMail(code: string): MailText {
  const advice =
    'Whoever has this code can take over your wallet: enter it only where you started the recovery yourself, and tell it to nobody. It works for 10 minutes. If you did not ask for it, ignore this mail.'
  return {
    subject: `${code} is your wallet recovery code`,
    text: `Your wallet recovery code is ${code}\n\n${advice}\n`,
    html: `<p>Your wallet recovery code is</p><p style="font-size:28px;letter-spacing:4px"><b>${code}</b></p><p>${advice}</p>`,
  }
}

/** The mail that tells of a finished recovery, with its time (UTC) and the wallet's address: ASCII of our own making. */
export function recoveredMail({ address, at }: { address: string; at: Date }): MailText {
  const time = at.toISOString()
  const advice =
    'Devices that held a part of the old key material have to be set up again. If this was not you, somebody reads your mail: move what the wallet holds at once.'
  return {
    subject: 'Your wallet was recovered',
    text: `Your wallet ${address} was recovered at ${time}.\n\n${advice}\n`,
    html: `<p>Your wallet <b>${address}</b> was recovered at ${time}.</p><p>${advice}</p>`,
  }
}
