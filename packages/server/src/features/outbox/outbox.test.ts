import { spawn } from 'node:child_process'
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { EnvelopeError } from '@symbolon/crypto/node'
import {
  advanceClock,
  testIds as ids,
  type TestDatabase,
  testDatabase,
  testLog,
} from '@symbolon/testing/database'
import { type MailServer, startMailServer } from '@symbolon/testing/mail'
import { until } from '@symbolon/testing/wait'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mailSmtp } from '../../adapters/mail-smtp.ts'
import { openPool, type Sql } from '../../db/pool.ts'
import { enqueue } from './enqueue.ts'
import { outboxStore } from './outbox.store.ts'
import { type Outbox, outbox } from './outbox.ts'
import { type OutboxWorker, outboxWorker } from './outbox-worker.ts'
import { retryDelayMs, retryDelaysMs } from './retry-schedule.ts'

const masterBytes = randomBytes(32)
const master: KeyObject = createSecretKey(masterBytes)
const cleanups: (() => unknown)[] = []

let database: TestDatabase
let sql: Sql
let box: Outbox

beforeEach(async () => {
  database = await testDatabase()
  sql = database.sql
  box = outbox({ master, kind: 'mail', ids, onNudge: () => {} })
})

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  await database.drop()
})

async function server(...given: Parameters<typeof startMailServer>): Promise<MailServer> {
  const started = await startMailServer(...given)
  cleanups.push(() => started.close())
  return started
}

function worker(port: number, leaseMs?: number): OutboxWorker & { log: ReturnType<typeof testLog> } {
  const pool = openPool(database.url, { connectionsMax: 1 })
  const mailer = mailSmtp({ urls: [`smtp://127.0.0.1:${port}`], from: 'login@wallets.test' })
  const log = testLog()
  const made = outboxWorker({
    sql: pool,
    kind: 'mail',
    deliver: (row) => mailer.send(box.open(row)),
    log,
    random: Math.random,
    ...(leaseMs !== undefined && { leaseMs }),
  })
  cleanups.push(async () => {
    await made.stop()
    mailer.close()
    await pool.end({ timeout: 1 })
  })
  return { ...made, log }
}

async function put(to: string, expiresInMs?: number): Promise<void> {
  const { id, sealedPayload } = box.seal({
    to,
    subject: '123456 is your login code',
    text: 'text',
    html: 'html',
  })
  await sql`insert into outbox (id, kind, sealed_payload, next_attempt_at, expires_at)
    values (${id}, 'mail', ${sealedPayload}, app_now(), app_now() + ${expiresInMs ?? null}::double precision * interval '1 millisecond')`
}

const waiting = async () => (await sql`select 1 from outbox`).length
test('an email is sealed to its row and to this server', () => {
  const mail = { to: 'a@b.test', subject: 's', text: 't', html: 'h' }
  const sealed = box.seal(mail)
  expect(box.open(sealed)).toEqual({ id: sealed.id, ...mail })
  const other = box.seal(mail)
  expect(() => box.open({ ...sealed, id: other.id })).toThrow(EnvelopeError)
  expect(() => box.open({ ...sealed, sealedPayload: sealed.sealedPayload.subarray(0, 20) })).toThrow(
    EnvelopeError,
  )
  const stranger = outbox({ master: createSecretKey(randomBytes(32)), kind: 'mail', ids, onNudge: () => {} })
  expect(() => stranger.open(sealed)).toThrow(EnvelopeError)
  const webhooks = outbox({ master, kind: 'webhook', ids, onNudge: () => {} })
  expect(() => webhooks.open(sealed)).toThrow(EnvelopeError)
})

test('an email leaves within 50 ms of the nudge', async () => {
  const mailServer = await server()
  const { start, nudge } = worker(mailServer.port)
  start()
  await put('warm@example.test')
  nudge()
  await until(() => mailServer.mails.length === 1)
  await until(async () => (await waiting()) === 0)
  const times: number[] = []
  for (let i = 2; i <= 10; i++) {
    await put('fast@example.test')
    const from = performance.now()
    nudge()
    await until(() => mailServer.mails.length === i)
    times.push((mailServer.mails.at(-1)?.atMs ?? 0) - from)
  }
  // The machine may be busy with others during most of them.
  expect(times.sort((a, b) => a - b)[1]).toBeLessThan(50)
  await until(async () => (await waiting()) === 0)
})

test('two workers send 200 emails, each once', async () => {
  const mailServer = await server()
  await Promise.all(Array.from({ length: 200 }, (_, i) => put(`user${i}@example.test`)))
  worker(mailServer.port).start()
  worker(mailServer.port).start()
  await until(async () => (await waiting()) === 0)
  expect(mailServer.mails).toHaveLength(200)
  expect(new Set(mailServer.mails.map(({ to }) => to[0])).size).toBe(200)
})

test('a worker with more emails than places takes the next one as soon as one is sent, not at its next poll', async () => {
  await Promise.all(Array.from({ length: 160 }, (_, i) => put(`user${i}@example.test`)))
  const sent: string[] = []
  const made = outboxWorker({
    sql,
    kind: 'mail',
    deliver: async ({ id }) => sent.push(id),
    log: testLog(),
    random: Math.random,
  })
  cleanups.push(() => made.stop())
  made.start()
  // It sends 12 of one organization at once: a dozen polls of a second would take longer.
  await until(async () => (await waiting()) === 0, 10_000)
  expect(new Set(sent).size).toBe(160)
})

test('organizations take turns: behind a thousand emails of one, the email of another is sent within two seconds', async () => {
  const slow: SMTPServerOptions = { onMailFrom: (_address, _session, done) => void setTimeout(done, 40) }
  const mailServer = await server(0, slow)
  const [loud, quiet] = [ids.next(), ids.next()]
  const queue = (to: string, organizationId: string) =>
    enqueue(sql, 'mail', box.seal({ to, subject: 's', text: 't', html: 'h' }), organizationId)
  await Promise.all(Array.from({ length: 1_000 }, (_, i) => queue(`loud${i}@example.test`, loud)))
  const { start, nudge } = worker(mailServer.port)
  start()
  await until(() => mailServer.mails.length > 20)
  const from = performance.now()
  await queue('quiet@example.test', quiet)
  nudge()
  const arrived = () => mailServer.mails.find(({ to }) => to.includes('quiet@example.test'))
  await until(() => arrived() !== undefined)
  expect((arrived()?.atMs ?? 0) - from).toBeLessThan(2_000)
  // It did not wait for the others.
  expect(await waiting()).toBeGreaterThan(500)
})

test('workers of emails leave webhooks alone: a receiver that hangs holds up no email', async () => {
  const mailServer = await server()
  const webhooks = outbox<{ n: number }>({ master, kind: 'webhook', ids, onNudge: () => {} })
  for (let n = 0; n < 40; n++) {
    const { id, sealedPayload } = webhooks.seal({ n })
    await sql`insert into outbox (id, kind, sealed_payload, next_attempt_at)
      values (${id}, 'webhook', ${sealedPayload}, app_now())`
  }
  const given: number[] = []
  let end: (value?: unknown) => void = () => {}
  const hangs = new Promise((resolve) => {
    end = resolve
  })
  const hanging = outboxWorker({
    sql,
    kind: 'webhook',
    deliver: (row) => {
      given.push(webhooks.open(row).n)
      return hangs
    },
    log: testLog(),
    random: Math.random,
  })
  cleanups.push(() => {
    end()
    return hanging.stop()
  })
  hanging.start()
  await until(() => given.length === 12)
  await put('first@example.test')
  worker(mailServer.port).start()
  await until(() => mailServer.mails.length === 1)
  await until(async () => (await sql`select 1 from outbox where kind = 'mail'`).length === 0)
  // Nobody but its own worker has touched one.
  expect(await sql`select 1 from outbox where kind = 'webhook' and attempts = 0`).toHaveLength(40 - 12)
})

test('no two workers ever hold a row at once, and each lease is one attempt', async () => {
  const pools = [0, 1].map(() => openPool(database.url, { connectionsMax: 8 }))
  cleanups.push(() => Promise.all(pools.map((pool) => pool.end({ timeout: 1 }))))
  await Promise.all(Array.from({ length: 100 }, (_, i) => put(`user${i}@example.test`)))
  await Promise.all(pools.flatMap((pool) => Array.from({ length: 8 }, () => pool`select 1`)))
  const claims = await Promise.all(
    pools.flatMap((pool) =>
      Array.from({ length: 8 }, () =>
        outboxStore.claim(pool, {
          kind: 'mail',
          rowsMax: 10,
          leaseMs: 30_000,
          turns: { held: new Map(), share: 12 },
        }),
      ),
    ),
  )
  const rows = claims.flat()
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  expect(rows.every(({ attempts }) => attempts === 1)).toBe(true)
})

test('while the mail server is down nothing is lost, and what waits leaves when it is back', async () => {
  const first = await startMailServer()
  await first.close()
  const { start, log } = worker(first.port)
  start()
  await put('patient@example.test', 600_000)
  // It has failed and is put off: the lease of an attempt that is still under way is longer.
  await until(
    async () =>
      (
        await sql`select 1 from outbox where attempts = 1
          and next_attempt_at between app_now() + interval '1 second' and app_now() + interval '10 seconds'`
      ).length === 1,
  )
  const back = await server(first.port)
  await advanceClock(sql, 6_000)
  await until(async () => (await waiting()) === 0)
  expect(back.mails.map(({ to }) => to[0])).toEqual(['patient@example.test'])
  // What went wrong is logged, the recipient and the code are not.
  expect(log.lines.join('\n')).toContain('ECONNREFUSED')
  expect(log.lines.join('\n')).not.toMatch(/patient|123456/)
})

test('a worker goes on after the database dropped its connections, and repeats no email whose end it could not write', async () => {
  const mailServer = await server()
  const { start, nudge } = worker(mailServer.port, 3_000)
  start()
  for (let i = 1; i <= 6; i++) {
    await put(`user${i}@example.test`)
    nudge()
    await until(() => mailServer.mails.length >= i)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'symbolon'`
  }
  await until(async () => (await waiting()) === 0)
  expect(mailServer.mails).toHaveLength(6)
})

test('a delivery that could not be written down is written down later, and not repeated', async () => {
  let isDown = true
  const flaky = ((strings: TemplateStringsArray, ...values: never[]) => {
    if (!isDown || strings[0]?.startsWith('delete from outbox where id') !== true)
      return sql(strings, ...values)
    isDown = false
    return Promise.reject(new Error('connection lost'))
  }) as unknown as Sql
  const delivered: string[] = []
  const made = outboxWorker({
    sql: flaky,
    kind: 'mail',
    deliver: async ({ id }) => delivered.push(id),
    log: testLog(),
    random: Math.random,
    leaseMs: 60_000,
  })
  cleanups.push(() => made.stop())
  await put('once@example.test')
  made.start()
  await until(async () => (await waiting()) === 0)
  expect([isDown, delivered.length]).toEqual([false, 1])
})

test('a code that nobody can use any more is not emailed', async () => {
  const mailServer = await server()
  await put('late@example.test', -1)
  await put('good@example.test', 60_000)
  worker(mailServer.port).start()
  await until(async () => (await waiting()) === 0)
  expect(mailServer.mails.map(({ to }) => to[0])).toEqual(['good@example.test'])
})

test('the email of a worker that is killed while it sends is sent by another', async () => {
  const stuck: string[] = []
  const hanging = await server(0, {
    onData: (_stream, session) => void stuck.push(session.envelope.rcptTo[0]?.address ?? ''),
  })
  await put('survivor@example.test')
  const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
  const code = `
    const { createSecretKey } = await import('node:crypto')
    const { openPool } = await import(${url('../../db/pool.ts')})
    const { mailSmtp } = await import(${url('../../adapters/mail-smtp.ts')})
    const { outbox } = await import(${url('./outbox.ts')})
    const { outboxWorker } = await import(${url('./outbox-worker.ts')})
    const master = createSecretKey(Buffer.from(process.env.MASTER, 'hex'))
    const { open } = outbox({ master, kind: 'mail', ids: {}, onNudge() {} })
    const log = { debug() {}, info() {}, warn: console.error, error: console.error }
    const mailer = mailSmtp({ urls: [process.env.MAIL_URL], from: 'login@wallets.test' })
    const sql = openPool(process.env.DATABASE_URL, { connectionsMax: 2 })
    outboxWorker({ sql, kind: 'mail', deliver: (row) => mailer.send(open(row)), log, random: () => 0, leaseMs: 60_000 }).start()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: 'inherit',
    env: {
      MASTER: masterBytes.toString('hex'),
      MAIL_URL: `smtp://127.0.0.1:${hanging.port}`,
      DATABASE_URL: database.url,
    },
  })
  cleanups.push(() => child.kill('SIGKILL'))
  await until(() => stuck.length === 1)
  child.kill('SIGKILL')
  const mailServer = await server()
  const { start, nudge } = worker(mailServer.port)
  // Sent by a worker that leaves alone what the dead one holds.
  await put('later@example.test')
  start()
  await until(async () => (await waiting()) === 1)
  expect(mailServer.mails.map(({ to }) => to[0])).toEqual(['later@example.test'])
  await advanceClock(sql, 60_000)
  nudge()
  await until(async () => (await waiting()) === 0)
  expect(mailServer.mails.map(({ to }) => to[0])).toEqual(['later@example.test', 'survivor@example.test'])
})

test('a worker that hangs on one email sends the others meanwhile', async () => {
  const mailServer = await server(0, {
    onRcptTo(address, _session, done) {
      if (!address.address.startsWith('hang')) done()
    },
  })
  await put('hang@example.test')
  const { start, nudge } = worker(mailServer.port)
  start()
  await until(async () => (await sql`select 1 from outbox where attempts = 1`).length === 1)
  await put('next@example.test')
  nudge()
  await until(() => mailServer.mails.length === 1)
  await mailServer.close()
})

test('retries follow the documented schedule; an email that expires is tried at least every 22 s', () => {
  const seconds = retryDelaysMs.map((ms) => ms / 1000)
  expect(seconds).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
  expect(retryDelayMs(1, { isExpiring: false, random: 0 })).toBe(5_000)
  expect(retryDelayMs(2, { isExpiring: false, random: 1 })).toBe(330_000)
  expect(retryDelayMs(10, { isExpiring: false, random: 0 })).toBeUndefined()
  for (let attempts = 1; attempts < 100; attempts++) {
    expect(retryDelayMs(attempts, { isExpiring: true, random: 1 })).toBeLessThanOrEqual(22_000)
  }
})
