/** Where a code is looked up while a dialog covers the page, as it does on a phone. */
export function MailboxHint() {
  return (
    <p className="text-xs text-muted">
      The code arrives in the{' '}
      <a href="/dev/mailbox" target="_blank" rel="noreferrer" className="underline">
        mailbox
      </a>
      <span className="max-lg:hidden">, on the right</span>.
    </p>
  )
}
