import { CopyButton } from './ui/copy-button.tsx'
import { Mail } from './ui/icons.tsx'
import type { Mail as Message } from './use-mailbox.ts'

const grouped = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`

/** The code stands beside it already. */
const title = ({ subject, code }: Message) =>
  code === undefined
    ? subject
    : subject.replace(`${code} is your `, '').replace(/^./, (letter) => letter.toUpperCase())

/** The newest emails of the person who tries the demo, so that no second window is needed for a code. */
export function MailboxPanel({ address, mails }: { address: string; mails: readonly Message[] }) {
  return (
    <section aria-labelledby="mailbox" className="rounded-xl border border-line bg-surface p-4">
      <div className="flex items-center justify-between gap-2">
        <h2 id="mailbox" className="flex items-center gap-2 text-sm font-semibold">
          <Mail /> Mailbox
        </h2>
        <a href="/dev/mailbox" target="_blank" rel="noreferrer" className="text-xs text-muted underline">
          open in a tab
        </a>
      </div>
      <p className="truncate text-xs text-muted">{address === '' ? 'Nobody yet' : `Email to ${address}`}</p>
      {mails.length === 0 ? (
        <p className="mt-3 rounded-lg bg-sunken px-3 py-4 text-center text-xs text-muted">
          Codes arrive here. The mail server is real, but no email leaves this machine.
        </p>
      ) : (
        <ul className="mt-3 grid grid-cols-1 gap-1.5" aria-live="polite">
          {mails.map((mail, place) => (
            <li
              key={mail.id}
              className={`flex items-center justify-between gap-2 rounded-lg py-1 pl-3 ${place === 0 ? 'appear bg-tint' : 'bg-sunken text-muted'}`}
            >
              <div className="min-w-0 flex-1 py-1">
                <p className="truncate text-xs font-medium" title={mail.subject}>
                  {title(mail)}
                </p>
                <p className="text-xs text-muted">{mail.receivedAt.toLocaleTimeString()}</p>
              </div>
              {mail.code !== undefined && (
                <div className="flex items-center">
                  <span className="font-mono text-base font-semibold whitespace-nowrap">
                    {grouped(mail.code)}
                  </span>
                  <CopyButton text={mail.code} what="code" />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
