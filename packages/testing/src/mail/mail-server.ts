import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A real mail server on loopback that keeps what it accepts: the raw message, its recipients, and when it came. */
export type MailServer = {
  port: number
  mails: { raw: string; to: string[]; atMs: number }[]
  close(): Promise<void>
}

/** Starts a mail server; port 0 takes a free one. */
export async function startMailServer(
  port = 0,
  options: SMTPServerOptions = {},
  host = '127.0.0.1',
): Promise<MailServer> {
  const mails: MailServer['mails'] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onData(stream, session, done) {
      text(stream).then((raw) => {
        mails.push({
          raw,
          to: session.envelope.rcptTo.map(({ address }) => address),
          atMs: performance.now(),
        })
        done()
      }, done)
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
