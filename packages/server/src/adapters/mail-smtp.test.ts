import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { type MailServer, startMailServer } from '@symbolon/testing/mail'
import { afterEach, expect, test } from 'vitest'
import { MailError, type Mailer } from '../ports/mailer.ts'
import { mailSmtp } from './mail-smtp.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const from = 'Symbolon <login@wallets.test>'
const mail = {
  id: 'mail-1',
  to: 'ünï@exämple.test',
  subject: '123456 is your login code',
  text: 'text',
  html: '<b>html</b>',
}
const mailerTo = (...urls: string[]): Mailer => {
  const mailer = mailSmtp({ urls, from })
  open.unshift(mailer)
  return mailer
}
const server = async (...given: Parameters<typeof startMailServer>): Promise<MailServer> => {
  const started = await startMailServer(...given)
  open.push(started)
  return started
}

test('an email arrives whole: both bodies, its own message id, one recipient', async () => {
  const { port, mails } = await server()
  await mailerTo(`smtp://127.0.0.1:${port}`).send(mail)
  const [arrived] = mails
  for (const line of [
    'Subject: 123456 is your login code',
    'Message-ID: <mail-1@wallets.test>',
    'From: Symbolon <login@wallets.test>',
    'text',
    '<b>html</b>',
  ]) {
    expect(arrived?.raw.split('\r\n')).toContain(line)
  }
  expect(arrived?.to).toHaveLength(1)
})

test('an address is one recipient, whatever it holds', async () => {
  const { port, mails } = await server()
  const mailer = mailerTo(`smtp://127.0.0.1:${port}`)
  await mailer.send({ ...mail, to: 'a@b.test, c@d.test' }).catch(() => {})
  await mailer.send({ ...mail, to: 'a@b.test\r\nBcc: c@d.test' }).catch(() => {})
  for (const { to } of mails) {
    expect(to).toHaveLength(1)
    expect(to).not.toContain('c@d.test')
  }
})

test('the second server takes over when the first is down, refuses or hangs', async () => {
  const good = await server()
  const refusing = await server(0, { onRcptTo: (_, __, done) => done(new Error('not here')) })
  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    },
  })
  const { port: silentPort } = silent.address() as AddressInfo
  for (const port of [1, refusing.port, silentPort]) {
    await mailerTo(`smtp://127.0.0.1:${port}`, `smtp://127.0.0.1:${good.port}`).send(mail)
  }
  expect(good.mails).toHaveLength(3)
})

test('the sender learns that no server accepted the email, and a later email passes once one is back', async () => {
  const first = await startMailServer()
  const mailer = mailerTo(`smtp://127.0.0.1:${first.port}`)
  await mailer.send(mail)
  await first.close()
  await expect(mailer.send(mail)).rejects.toBeInstanceOf(MailError)
  const second = await server(first.port)
  await mailer.send(mail)
  expect(second.mails).toHaveLength(1)
})

test('a server elsewhere that offers no TLS gets nothing', async () => {
  // An address of this machine that does not count as its own: what a server elsewhere looks like.
  const { port, mails } = await server(0, {}, '127.0.0.2')
  const refusal = await mailerTo(`smtp://127.0.0.2:${port}`)
    .send(mail)
    .catch((error: unknown) => error)
  expect(refusal).toMatchObject({ name: 'MailError', cause: { code: 'ETLS' } })
  expect(mails).toHaveLength(0)
})
