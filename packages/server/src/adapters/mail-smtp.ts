import { createTransport } from 'nodemailer'
import { MailError, type Mailer } from '../ports/mailer.ts'

// All servers together must finish before the outbox leases the email to another worker.
const deadlineMs = 12_000

/**
 * Sends mail by SMTP: through the first of one or two `smtp:` or `smtps:` URLs, through the next when it fails. `from` is
 * the sender (`Name <address>` or an address). TLS is required except for a server on this machine. 12 s per server.
 */
export function mailSmtp({ urls, from }: { urls: readonly string[]; from: string }): Mailer {
  const senderDomain = from.slice(from.lastIndexOf('@') + 1).replace(/>.*$/, '')
  const transports = urls.map((text) => {
    const url = new URL(text)
    const isSecure = url.protocol === 'smtps:'
    const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
    return createTransport({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || (isSecure ? 465 : 587)),
      secure: isSecure,
      requireTLS: !isSecure && !isLocal,
      ignoreTLS: isLocal && !isSecure,
      ...(url.username !== '' && {
        auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      }),
      pool: true,
      maxConnections: 4,
      maxMessages: 1_000,
      connectionTimeout: 4_000,
      greetingTimeout: 4_000,
      socketTimeout: 8_000,
      dnsTimeout: 4_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  })

  return {
    async send({ id, to, subject, text, html }) {
      const message = {
        from,
        // As a record and not as text: an address is never read as a list or a name.
        to: { name: '', address: to },
        messageId: `<${id}@${senderDomain}>`,
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated' },
      }
      let failure: unknown = new Error('No mail server is configured.')
      for (const transport of transports) {
        try {
          await withDeadline(transport.sendMail(message))
          return
        } catch (error) {
          failure = error
        }
      }
      throw new MailError(failure)
    },
    close() {
      for (const transport of transports) transport.close()
    },
  }
}

async function withDeadline<result>(sending: Promise<result>): Promise<result> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The mail server did not answer in time.')), deadlineMs)
  })
  try {
    return await Promise.race([sending, deadline])
  } finally {
    clearTimeout(timer)
  }
}
