/** An email as it leaves; `id` names it in `Message-ID`, so that a repeat is recognised as one. */
export type Mail = { id: string; to: string; subject: string; text: string; html: string }

/** Hands emails to a mail server. */
export type Mailer = {
  /** Resolves once a mail server has accepted the email; rejects with `MailError` when none did. */
  send(mail: Mail): Promise<void>
  /** Lets go of open connections. */
  close(): void
}

/** No mail server accepted the email now; a later attempt may pass. The cause is for the log. */
export class MailError extends Error {
  override readonly name = 'MailError'

  constructor(cause: unknown) {
    super('No mail server accepted the email.', { cause })
  }
}
