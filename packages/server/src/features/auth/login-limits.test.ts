import { createSecretKey, randomBytes } from 'node:crypto'
import {
  advanceClock,
  testIds as ids,
  seedOrganization,
  type TestDatabase,
  testDatabase,
  testLog,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import { databaseLimiter } from '../../http/limiter.ts'
import type { Organization } from '../../http/principal.ts'
import { orThrow } from '../../runtime/failure.ts'
import { auditWriter } from '../audit/audit-writer.ts'
import { outbox } from '../outbox/outbox.ts'
import { type AuthCtx, startLogin, verifyLogin } from './auth.ts'
import { clientAddress } from './client-address.ts'
import { mailboxOf } from './mailbox.ts'
import { serviceTokens } from './service-token.ts'

const pepper = createSecretKey(randomBytes(32))
const mails = outbox({ kind: 'mail', master: pepper, ids, onNudge: () => {} })
const [mine, theirs] = ['nonce-of-the-user-1', 'nonce-of-a-stranger']
const minuteMs = 60_000

let database: TestDatabase
let sql: Sql
let pool: Sql
let ctx: AuthCtx
let organization: Organization
let lastHost = 0
/** A client address that nobody has used. */
let client: string

beforeAll(async () => {
  database = await testDatabase()
  sql = database.sql
  pool = openPool(database.url, { connectionsMax: 16 })
  const baseUrl = 'https://wallet.example.test'
  ctx = {
    sql: pool,
    ids,
    audit: auditWriter({ sql: pool, ids, log: testLog() }),
    codes: { pepper, random: (length) => randomBytes(length), limiter: databaseLimiter(pool) },
    tokens: serviceTokens({ baseUrl, masters: [{ kid: 'm', secret: createSecretKey(randomBytes(32)) }] }),
    devices: {
      ids,
      pepper,
      links: { random: (length) => randomBytes(length), hashToken: () => randomBytes(32), baseUrl },
      outbox: mails,
    },
  }
})
afterAll(async () => {
  await pool.end({ timeout: 1 })
  await database.drop()
})
beforeEach(async () => {
  organization = await seedOrganization(sql)
  client = `198.18.${lastHost >> 8}.${lastHost++ & 255}`
})

type More = { nonce?: string; from?: string; at?: Organization }
const loginOf = (email: string, { nonce, from = client, at = organization }: More) => ({
  organization: at,
  email,
  nonce,
  request: { address: from, userAgent: undefined },
})
const start = async (email: string, more: More = {}) => startLogin(ctx, loginOf(email, more), () => {})
const begin = async (email: string, more: More = {}) => {
  orThrow(await start(email, more))
  return codeOf(email)
}
const verify = (email: string, code: string, more: More = {}) =>
  verifyLogin(ctx, { ...loginOf(email, more), code }, () => {})
const outcome = async (given: Promise<unknown>) =>
  ((await given) as { code?: string } | undefined)?.code ?? 'ok'
const mailsTo = async (email: string) =>
  (
    await sql<
      { id: string; sealedPayload: Uint8Array }[]
    >`select id, sealed_payload as "sealedPayload" from outbox order by id`
  )
    .map((row) => mails.open(row))
    .filter(({ to }) => to === email)
const codeOf = async (email: string) =>
  (await mailsTo(email)).flatMap(({ subject }) => /^\d{6}/.exec(subject)?.[0] ?? []).at(-1) ?? ''
const wrong = (...codes: string[]) =>
  ['000000', '000001', '000002'].find((code) => !codes.includes(code)) ?? ''

test('a mailbox is an address without what follows a plus, its domain in one spelling', () => {
  expect(mailboxOf('a+b+c@x.test')).toBe('a@x.test')
  expect(mailboxOf('a@x+y.test')).toBe('a@x+y.test')
  expect(mailboxOf('+a@x.test')).toBe('+a@x.test')
  expect(mailboxOf('a+b@bücher.test')).toBe('a@xn--bcher-kva.test')
})

test('a client address is read as the database reads it', () => {
  expect(clientAddress('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(clientAddress('fe80::1%eth0')).toBe('fe80::1')
  expect(clientAddress('unknown')).toBeNull()
})

test('spellings of one mailbox share its codes, and each code opens its own spelling alone', async () => {
  const code = await begin('plus+one@example.test')
  for (const tag of ['two', 'three', 'four']) await begin(`plus+${tag}@example.test`)
  await begin('plus@example.test')
  expect(await outcome(start('plus+six@example.test'))).toBe('rate_limited')
  const other = await codeOf('plus@example.test')
  if (code !== other) expect(await outcome(verify('plus@example.test', code))).toBe('invalid_code')
  expect(await outcome(verify('plus+one@example.test', code))).toBe('ok')
})

test('a code asked with a nonce opens with the same nonce only, and other guesses never count against it', async () => {
  const email = 'bound@example.test'
  const code = await begin(email, { nonce: mine })
  for (let i = 0; i < 6; i++) {
    expect(await outcome(verify(email, code, { nonce: theirs }))).toBe('invalid_code')
    expect(await outcome(verify(email, code))).toBe('invalid_code')
  }
  expect(await outcome(verify(email, code, { nonce: mine }))).toBe('ok')
})

test('a code asked without a nonce opens with any, and every guess counts against it', async () => {
  const email = 'unbound@example.test'
  const first = await begin(email)
  for (const nonce of [mine, theirs, mine, theirs])
    expect(await outcome(verify(email, wrong(first), { nonce }))).toBe('invalid_code')
  expect(await outcome(verify(email, first, { nonce: mine }))).toBe('ok')
  const second = await begin(email)
  for (const nonce of [mine, theirs, mine, theirs, mine])
    expect(await outcome(verify(email, wrong(second), { nonce }))).toBe('invalid_code')
  expect(await outcome(verify(email, second))).toBe('invalid_code')
})

test('a new code without a nonce leaves the one of a device alone', async () => {
  const email = 'both@example.test'
  const bound = await begin(email, { nonce: mine })
  const unbound = await begin(email)
  expect(await outcome(verify(email, unbound, { nonce: mine }))).toBe('ok')
  if (bound !== unbound) expect(await outcome(verify(email, bound, { nonce: mine }))).toBe('ok')
})

test('strangers cannot lock a user out: a device that logged in has codes of its own', async () => {
  const email = 'locked@example.test'
  expect(await outcome(verify(email, await begin(email, { nonce: mine }), { nonce: mine }))).toBe('ok')
  for (let i = 0; i < 4; i++) await begin(email, { nonce: theirs })
  expect(await outcome(start(email, { nonce: theirs }))).toBe('rate_limited')
  expect(await outcome(start(email))).toBe('rate_limited')
  for (let i = 0; i < 5; i++) await begin(email, { nonce: mine })
  expect(await outcome(start(email, { nonce: mine }))).toBe('rate_limited')
})

test('one client address has 20 starts over all organizations, refused ones and used codes not counted', async () => {
  const other = await seedOrganization(sql)
  for (let i = 0; i < 6; i++) await start('refused@example.test')
  const used = await begin('used@example.test', { at: other })
  for (let i = 0; i < 14; i++) await begin(`many${i}@example.test`, i % 2 ? { at: other } : {})
  expect(await outcome(start('over@example.test'))).toBe('rate_limited')
  expect(await outcome(start('over@example.test', { from: '198.51.100.1' }))).toBe('ok')
  expect(await outcome(verify('used@example.test', used, { at: other, from: '198.51.100.2' }))).toBe('ok')
  expect(await outcome(start('over@example.test'))).toBe('ok')
  expect(await outcome(start('over2@example.test'))).toBe('rate_limited')
})

test('of 40 parallel starts of one client address exactly 20 are served', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => outcome(start(`par${i}@example.test`))),
  )
  expect(answers.filter((answer) => answer === 'ok')).toHaveLength(20)
})

test('the addresses of one /64 count as one', async () => {
  const host = (i: number) => `2001:db8:${lastHost.toString(16)}:1::${i.toString(16)}`
  for (let i = 1; i <= 20; i++) await begin(`six${i}@example.test`, { from: host(i) })
  expect(await outcome(start('six@example.test', { from: host(99) }))).toBe('rate_limited')
  expect(await outcome(start('six@example.test', { from: `2001:db8:${lastHost.toString(16)}:2::1` }))).toBe(
    'ok',
  )
})

test('of 50 parallel wrong verifications of one client address 30 are evaluated', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => outcome(verify(`spray${i}@example.test`, '123456'))),
  )
  expect(answers.filter((answer) => answer === 'invalid_code')).toHaveLength(30)
  expect(answers.filter((answer) => answer === 'rate_limited')).toHaveLength(20)
  const code = await begin('right@example.test')
  expect(await outcome(verify('right@example.test', code))).toBe('rate_limited')
  expect(await outcome(verify('right@example.test', code, { from: '198.51.100.3' }))).toBe('ok')
})

test('no flood of verifications from elsewhere keeps a user from logging in, with a device or without', async () => {
  const email = 'flooded@example.test'
  const flood = async () => {
    const answers: string[] = []
    for (let i = 0; i < 17; i++)
      answers.push(...(await Promise.all(Array.from({ length: 20 }, () => outcome(verify(email, '123456'))))))
    return answers
  }
  const code = await begin(email, { nonce: mine, from: '198.51.100.9' })
  const answers = await flood()
  expect(answers.filter((answer) => answer === 'invalid_code')).toHaveLength(30)
  expect(answers.filter((answer) => answer === 'rate_limited')).toHaveLength(310)
  expect(await outcome(verify(email, code, { nonce: mine, from: '198.51.100.9' }))).toBe('ok')
  const later = await begin(email, { from: '198.51.100.9' })
  expect(await outcome(verify(email, later, { from: '198.51.100.9' }))).toBe('ok')
  // Addresses that are exempt from the window of failures flood no bucket but their own.
  await sql`update organizations set trusted_clients = array['198.18.0.0/16'::inet] where id = ${organization.id}`
  expect((await flood()).at(-1)).toBe('rate_limited')
  const last = await begin(email, { nonce: mine, from: '198.51.100.9' })
  expect(await outcome(verify(email, last, { nonce: mine, from: '198.51.100.9' }))).toBe('ok')
})

test('organizations that a mailbox never logged in to send it 20 codes a day together; one that it knows sends its own', async () => {
  const email = 'bombed@example.test'
  expect(await outcome(verify(email, await begin(email)))).toBe('ok')
  for (let i = 0; i < 19; i++)
    expect(
      await outcome(
        start(`bombed+${i}@example.test`, { at: await seedOrganization(sql), from: `198.51.102.${i}` }),
      ),
      `${i}`,
    ).toBe('ok')
  const fresh = await seedOrganization(sql)
  // A backend may name anybody as a user: nobody has logged in with that.
  await sql`insert into identities (id, organization_id, auth_provider, provider_user_id, email)
    values (${ids.next()}, ${fresh.id}, 'service', ${email}, ${email})`
  const from = '198.51.100.77'
  const refused = await start(email, { at: fresh, from })
  expect(refused).toMatchObject({ code: 'rate_limited' })
  expect(refused?.retryAfterSeconds).toBeGreaterThan(86_000)
  expect(refused?.retryAfterSeconds).toBeLessThanOrEqual(86_400)
  expect(await sql`select 1 from login_mailboxes where organization_id = ${fresh.id}`).toHaveLength(0)
  // Four more make the five of a quarter of an hour.
  for (let i = 0; i < 4; i++) expect(await outcome(start(email, { from }))).toBe('ok')
  const own = await start(email, { from })
  expect(own?.retryAfterSeconds).toBeLessThanOrEqual(900)
  expect(await outcome(start('another@example.test', { at: fresh, from }))).toBe('ok')
})

test('of 30 parallel starts for one mailbox in 30 organizations exactly 20 are served', async () => {
  const places = await Promise.all(Array.from({ length: 30 }, () => seedOrganization(sql)))
  const outcomes = await Promise.all(
    places.map((at, i) => outcome(start('crowd@example.test', { at, from: `198.51.101.${i}` }))),
  )
  expect(outcomes.filter((each) => each === 'ok')).toHaveLength(20)
  expect(await mailsTo('crowd@example.test')).toHaveLength(20)
})

test('trusted clients are exempt for their organization alone', async () => {
  await sql`update organizations set trusted_clients = array['198.18.0.0/16'::inet] where id = ${organization.id}`
  for (let i = 0; i < 25; i++) await begin(`trusted${i}@example.test`)
  for (let i = 0; i < 35; i++)
    expect(await outcome(verify('nobody@example.test', '123456'))).toBe('invalid_code')
  const other = await seedOrganization(sql)
  for (let i = 0; i < 20; i++) await begin(`free${i}@example.test`, { at: other })
  expect(await outcome(start('last@example.test', { at: other }))).toBe('rate_limited')
})

test('after ten failed guesses of a day the mailbox gets one notice', async () => {
  const email = 'noticed@example.test'
  const notices = async () =>
    (await mailsTo(email)).filter(({ subject }) => subject.includes('guessing')).length
  const code = await begin(email)
  for (let i = 0; i < 9; i++) await verify(email, wrong(code))
  expect(await notices()).toBe(0)
  for (let i = 0; i < 8; i++) await verify(email, wrong(code))
  expect(await notices()).toBe(1)
})

test('an organization whose codes are guessed tells its owners once and serves unknown client addresses one start a minute', async () => {
  await sql`update organizations set trusted_clients = array['192.0.2.0/24'::inet] where id = ${organization.id}`
  const userId = ids.next()
  const owner = `owner-${userId}@example.test`
  await sql`insert into portal_users (id, email) values (${userId}, ${owner})`
  await sql`insert into organization_members (id, organization_id, user_id, role, entered_at)
    values (${ids.next()}, ${organization.id}, ${userId}, 'owner', app_now())`
  const email = 'regular@example.test'
  expect(await outcome(verify(email, await begin(email)))).toBe('ok')
  await sql`insert into login_hours (organization_id, hour, slot, starts, failures) values (${organization.id}, date_trunc('hour', app_now()), 15, 4000, 199)
    on conflict (organization_id, hour, slot) do update set starts = excluded.starts, failures = excluded.failures`
  const guess = async (i: number) => {
    const target = `target${i}@example.test`
    await verify(target, wrong(await begin(target, { from: '192.0.2.1' })), { from: '192.0.2.1' })
  }
  await guess(1)
  expect(await outcome(start('calm@example.test', { from: '198.51.100.40' }))).toBe('ok')
  expect(await mailsTo(owner)).toHaveLength(0)
  for (let i = 2; i < 8; i++) await guess(i)
  expect((await mailsTo(owner)).map(({ subject }) => subject)).toEqual([
    'Someone may be guessing login codes of your users',
  ])
  const unknown = { from: '198.51.100.41' }
  expect(await outcome(start('slow@example.test', unknown))).toBe('ok')
  const refused = await start('slow2@example.test', unknown)
  expect(refused).toMatchObject({ code: 'rate_limited' })
  expect(refused?.retryAfterSeconds).toBeGreaterThan(50)
  expect(refused?.retryAfterSeconds).toBeLessThanOrEqual(60)
  // Who logged in from there lately is served as before, and so are trusted clients.
  for (let i = 0; i < 3; i++) expect(await outcome(start(`quick${i}@example.test`))).toBe('ok')
  expect(await outcome(start('quick9@example.test', { from: '192.0.2.1' }))).toBe('ok')
})

// From here on, because it moves this database's clock.
test('one client address has 100 starts a day, and the windows roll', async () => {
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 20; i++) await begin(`day${round}-${i}@example.test`)
    const refused = await start('later@example.test')
    expect(refused).toMatchObject({ code: 'rate_limited' })
    if (round < 4) expect(refused?.retryAfterSeconds).toBeLessThanOrEqual(900)
    else expect(refused?.retryAfterSeconds).toBeGreaterThan(22 * 3_600)
    await advanceClock(sql, 15 * minuteMs)
  }
})

test('a day later, a mailbox gets codes from new organizations again', async () => {
  const email = 'rolls@example.test'
  const places = await Promise.all(Array.from({ length: 20 }, () => seedOrganization(sql)))
  for (const at of places) await begin(email, { at })
  const refused = await start(email, { from: '198.51.100.78' })
  await advanceClock(sql, ((refused?.retryAfterSeconds ?? 0) - 60) * 1_000)
  expect(await outcome(start(email, { from: '198.51.100.78' }))).toBe('rate_limited')
  await advanceClock(sql, minuteMs)
  expect(await outcome(start(email, { from: '198.51.100.78' }))).toBe('ok')
})
