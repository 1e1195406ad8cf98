import { type CodePlace, type MailText, mailTime, mailTimeHtml } from '../../mailed-codes/index.ts'

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
  // To the minute, and never before it is over.
  const shown = new Date(Math.ceil(readyAt.getTime() / 60_000) * 60_000)
  const lines = (time: string) => [
    `Someone entered the right code to ${what} on a device that is new or was added recently. They have to wait until ${time}.`,
    'If this was you, come back on the same device within 24 hours of that time and enter the same code again. Keep the email with the code.',
  ]
  return mail(started, process, link, {
    text: lines(mailTime(shown)),
    html: lines(mailTimeHtml(readyAt, shown)),
  })
}

/** The email of the moment when it has waited long enough. */
export function delayReadyMail(place: CodePlace, { link }: { link: string }): MailText {
  const { process, ready, what } = words[place]
  const lines = [
    `The wait is over. Whoever started to ${what} on a new device has 24 hours to finish.`,
    'If this was you, open the app on the same device and enter the same code again.',
  ]
  return mail(ready, process, link, { text: lines, html: lines })
}

function mail(
  subject: string,
  process: string,
  link: string,
  lines: { text: readonly string[]; html: readonly string[] },
): MailText {
  const last = `If this was not you, someone else can read your email: open the link and press the button to cancel the ${process}. Then secure your mailbox.`
  return {
    subject,
    text: `${[...lines.text, last, link].join('\n\n')}\n`,
    html: `${[...lines.html, last].map((line) => `<p>${line}</p>`).join('')}<p><a href="${link}">Cancel the ${process}</a></p>`,
  }
}
