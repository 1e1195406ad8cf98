import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import nodemailer, { type SendMailOptions } from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailCatcher, mailCatcher } from './mail-catcher.ts'
import { mailboxStore } from './mailbox.store.ts'

let database: TestDatabase
let catcher: MailCatcher
beforeAll(async () => {
  database = await testDatabase()
  catcher = await mailCatcher(database.sql)
})
afterAll(async () => {
  await catcher.close()
  await database.drop()
})

async function send(mail: SendMailOptions): Promise<void> {
  const transport = nodemailer.createTransport(catcher.url)
  await transport.sendMail({ from: 'platform@example.test', ...mail })
  transport.close()
}

test('a sent mail is in the mailbox as soon as the server has accepted it', async () => {
  await send({ to: 'Ada@example.test', subject: 'Überraschung', text: 'Code: 123456', html: '<b>123456</b>' })
  const [mail] = await mailboxStore.list(database.sql, 'ada@EXAMPLE.test')
  expect(mail).toMatchObject({ to: 'Ada@example.test', subject: 'Überraschung', html: '<b>123456</b>' })
  expect(mail?.text.trim()).toBe('Code: 123456')
  expect(mail?.received_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('the newest email comes first, each recipient gets his own, others see none', async () => {
  await send({ to: ['b1@example.test', 'b2@example.test'], subject: 'one', text: 'x' })
  await send({ to: 'b1@example.test', subject: 'two', text: 'x' })
  const subjects = async (to: string) =>
    (await mailboxStore.list(database.sql, to)).map(({ subject }) => subject)
  expect(await subjects('b1@example.test')).toEqual(['two', 'one'])
  expect(await subjects('b2@example.test')).toEqual(['one'])
  expect(await subjects('b3@example.test')).toEqual([])
})

test('a plain mail has no html', async () => {
  await send({ to: 'c@example.test', subject: 'plain', text: 'only text' })
  expect((await mailboxStore.list(database.sql, 'c@example.test'))[0]?.html).toBeNull()
})

test('an email over one megabyte is refused', async () => {
  await expect(send({ to: 'd@example.test', text: 'x'.repeat(2 * 1024 * 1024) })).rejects.toMatchObject({
    responseCode: 552,
  })
})

test('it ends at once though a sender keeps its connection', async () => {
  const other = await mailCatcher(database.sql)
  const { hostname: host, port } = new URL(other.url)
  const transport = nodemailer.createTransport({ host, port: Number(port), pool: true })
  await transport.sendMail({ from: 'platform@example.test', to: 'f@example.test', text: 'x' })
  const startedAt = performance.now()
  await other.close()
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  transport.close()
})

test('only the last 1,000 messages are kept', async () => {
  const recipients = Array.from({ length: 600 }, (_, i) => `e${i}@example.test`)
  for (const subject of ['first', 'second'])
    await mailboxStore.add(database.sql, { recipients, subject, text: 'NUL \0 is dropped', html: null })
  const kept = await mailboxStore.list(database.sql)
  expect(kept).toHaveLength(1_000)
  const ids = kept.map(({ id }) => Number(id))
  expect(ids).toEqual([...ids].sort((a, b) => b - a))
  expect(kept[0]).toMatchObject({ subject: 'second', text: 'NUL  is dropped' })
  expect(kept.filter(({ subject }) => subject === 'second')).toHaveLength(600)
})

test('an email that cannot be kept is refused for now, so that the sender repeats it', async () => {
  const other = await testDatabase()
  const failing = await mailCatcher(other.sql)
  await other.sql`drop table dev.mailbox`
  const transport = nodemailer.createTransport(failing.url)
  await expect(
    transport.sendMail({ from: 'a@example.test', to: 'f@example.test', text: 'x' }),
  ).rejects.toMatchObject({ responseCode: 451 })
  transport.close()
  await failing.close()
  await other.drop()
})
