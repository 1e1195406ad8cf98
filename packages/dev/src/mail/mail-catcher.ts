import type { AddressInfo } from 'node:net'
import type { Sql } from '@symbolon/server/pool'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { mailboxStore } from './mailbox.store.ts'

const messageBytesMax = 1024 * 1024
/** The sender keeps idle connections for seconds. An email that this cuts off waits in its outbox. */
const closeMs = 200

/** A running catcher; `url` is what `SMTP_URL` takes. */
export type MailCatcher = { url: string; close(): Promise<void> }

/**
 * A real SMTP server on the loopback interface that delivers nothing: every email lands in the development mailbox.
 * An email it could not keep is refused for now (451), so that the sender tries again.
 */
export async function mailCatcher(sql: Sql, port = 0): Promise<MailCatcher> {
  await mailboxStore.prepare(sql)
  const server = new SMTPServer({
    banner: 'Symbolon development mailbox',
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: messageBytesMax,
    closeTimeout: closeMs,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        if (!stream.sizeExceeded) chunks.push(chunk)
      })
      stream.on('end', () => {
        if (stream.sizeExceeded) return done(refusal(552, 'The message is too large'))
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        keep(Buffer.concat(chunks), recipients).then(
          () => done(),
          () => done(refusal(451, 'The mailbox is out of reach, try again')),
        )
      })
    },
  })
  // A client that drops its connection is its own problem.
  server.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }

  async function keep(source: Buffer, recipients: string[]): Promise<void> {
    const mail = await simpleParser(source, { skipImageLinks: true, skipTextToHtml: true })
    await mailboxStore.add(sql, {
      recipients,
      subject: mail.subject ?? '',
      text: mail.text ?? '',
      html: mail.html || null,
    })
  }
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
