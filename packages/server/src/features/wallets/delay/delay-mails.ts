import type { CodePlace, MailText } from '../../mailed-codes/index.ts'

type Words = { process: string; started: string; ready: string; what: string }

const words: Record<CodePlace, Words> = {
  recovery: {
    process: 'recovery',
    started: 'Your wallet is being recovered on a new device',
    ready: 'Your wallet can now be recovered on the new device',
    what: 'recover your wallet',
  },
  transfer: {
    process: 'export',
    started: 'Your wallet key is being exported on a new device',
    ready: 'Your wallet key can now be exported on the new device',
    what: 'export the private key of your wallet',
  },
}

/** The email about a recovery or an export that waits. Nothing in it needs escaping: all of it is ours. */
export function delayStartedMail(
  place: CodePlace,
  { readyAt, link }: { readyAt: Date; link: string },
): MailText {
  const { process, started, what } = words[place]
  const at = readyAt.toISOString()
  return mail(started, process, link, [
    `Someone entered the right code to ${what} on a device that you have not used for long enough. It has to wait until ${at}.`,
    `If this was you, come back on the same device within 24 hours after that time, and enter the same code again. Keep the email with the code.`,
  ])
}

/** The email of the moment when it has waited long enough. */
export function delayReadyMail(place: CodePlace, { link }: { link: string }): MailText {
  const { process, ready, what } = words[place]
  return mail(ready, process, link, [
    `The time to wait is over. Whoever started to ${what} on a new device can now finish, for 24 hours.`,
    'If this was you, open the app on the same device and enter the same code again.',
  ])
}

function mail(subject: string, process: string, link: string, lines: readonly string[]): MailText {
  const last = `If this was not you, someone else can read your email: open the link and press the button. It cancels the ${process}. Then secure your mailbox.`
  return {
    subject,
    text: `${[...lines, last, link].join('\n\n')}\n`,
    html: `${[...lines, last].map((line) => `<p>${line}</p>`).join('')}<p><a href="${link}">Cancel the ${process}</a></p>`,
  }
}
