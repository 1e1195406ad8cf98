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
import type { Sql } from '../../db/pool.ts'
import type { Organization } from '../../http/principal.ts'
import { auditWriter } from '../audit/audit-writer.ts'
import { useLink, visitLink } from '../mailed-links/mailed-links.ts'
import { outbox } from '../outbox/outbox.ts'
import { cancelBegun } from '../wallets/delay/cancel-begun.ts'
import { deviceName } from './device-name.ts'
import { type DevicesCtx, deviceHash, isKnownDevice, recordDeviceLogin } from './devices.ts'
import { forgetDevice } from './forget-device.ts'

const pepper = createSecretKey(randomBytes(32))
const hashToken = (token: string) => deviceHash(pepper, 'links', token)
const mails = outbox({ kind: 'mail', master: pepper, ids, onNudge: () => {} })
const email = 'user@example.test'
const dayMs = 24 * 3_600_000

let database: TestDatabase
let sql: Sql
let organization: Organization
let identityId: string

const ctx: DevicesCtx = {
  ids,
  pepper,
  links: { random: (length) => randomBytes(length), hashToken, baseUrl: 'https://wallet.example.test' },
  outbox: mails,
}

beforeAll(async () => {
  database = await testDatabase()
  sql = database.sql
})
afterAll(() => database.drop())
beforeEach(async () => {
  organization = await seedOrganization(sql)
  identityId = ids.next()
  await sql`insert into identities (id, organization_id, auth_provider, provider_user_id) values (${identityId}, ${organization.id}, 'service', ${identityId})`
  await sql`delete from outbox`
})

const hashOf = (nonce: string) => deviceHash(pepper, organization.id, nonce)
const newToken = () => ({
  hash: randomBytes(32).toString('hex'),
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
})
const logIn = (
  nonce: string | null,
  more: { email?: string | null; token?: ReturnType<typeof newToken> } = {},
) =>
  sql.begin((tx) =>
    recordDeviceLogin(ctx, tx, {
      organizationId: organization.id,
      identityId,
      email,
      nonceHash: nonce === null ? null : hashOf(nonce),
      token: newToken(),
      request: {
        address: '203.0.113.7',
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko Firefox/130.0',
      },
      ...more,
    }),
  )
const isKnown = (nonce: string, delaySeconds = 0) =>
  isKnownDevice(sql, { organizationId: organization.id, identityId, nonceHash: hashOf(nonce) }, delaySeconds)
const sentMails = async () =>
  (
    await sql<
      { id: string; sealedPayload: Uint8Array }[]
    >`select id, sealed_payload as "sealedPayload" from outbox order by id`
  ).map((row) => mails.open(row))
const linkIn = (text: string) => /\/links\/([0-9a-f]{64})$/m.exec(text)?.[1] ?? ''
const actions = () => {
  const audit = auditWriter({ sql, ids, log: testLog() })
  return { 'forget-device': forgetDevice(audit, cancelBegun(audit)) }
}

test('a login from a new device mails the user once, and one without a nonce each time', async () => {
  expect(await logIn('nonce-one-1234567')).toBe(true)
  expect(await logIn('nonce-one-1234567')).toBe(false)
  expect(await logIn(null)).toBe(true)
  expect(await logIn(null)).toBe(true)
  const [mail, ...others] = await sentMails()
  expect(others).toHaveLength(2)
  expect(mail).toMatchObject({ to: email, subject: 'New device logged in to your wallet' })
  expect(mail?.text).toMatch(
    /Device: Firefox on Linux\nTime: \d{4}-\d\d-\d\d \d\d:\d\d UTC\nClient address: 203\.0\.113\.7/,
  )
  const words = [mail, ...others].map((each) => each?.text.split('\n')[0])
  expect(words.map((line) => line?.includes('for the first time'))).toEqual([true, false, false])
  // Programs look for codes in emails.
  expect(`${mail?.subject} ${mail?.text}`).not.toMatch(/\b\d{6}\b/)
})

test('sixteen parallel first logins of a device mail the user once', async () => {
  const queued = await Promise.all(Array.from({ length: 16 }, () => logIn('nonce-many-123456')))
  expect(queued.filter(Boolean)).toHaveLength(1)
  expect(await sentMails()).toHaveLength(1)
})

test('the nonce of a device is stored as a keyed hash only', async () => {
  await logIn('a-secret-of-a-device')
  const dump = JSON.stringify(await sql`select d::text, encode(d.nonce_hash, 'escape') from devices d`)
  expect(dump).not.toContain('a-secret-of-a-device')
  expect(Buffer.from(hashOf('same')).equals(deviceHash(pepper, ids.next(), 'same'))).toBe(false)
})

test('a user without an address is mailed at the first login with one, and the device is new until then', async () => {
  expect(await logIn('nonce-no-mail-1234', { email: null })).toBe(false)
  expect(await logIn('nonce-no-mail-1234')).toBe(true)
})

test('a token that was recorded before changes nothing', async () => {
  const token = newToken()
  await logIn('nonce-token-123456', { token })
  const before = await sql`select * from devices where user_identity_id = ${identityId}`
  expect(await logIn('nonce-token-123456', { token })).toBe(false)
  expect(await sql`select * from devices where user_identity_id = ${identityId}`).toEqual(before)
})

test('a link works once, its page changes nothing, and an unknown one leads nowhere', async () => {
  await logIn('nonce-link-1234567')
  const token = hashToken(linkIn((await sentMails())[0]?.text ?? ''))
  for (let i = 0; i < 2; i++)
    expect(await visitLink(sql, actions(), token)).toMatchObject({ outcome: 'open' })
  const pressed = await Promise.all(Array.from({ length: 8 }, () => useLink(sql, actions(), token)))
  expect(pressed.map(({ outcome }) => outcome).sort()).toEqual(['done', ...Array(7).fill('past')])
  expect(await visitLink(sql, actions(), token)).toMatchObject({ outcome: 'past' })
  expect(await useLink(sql, actions(), hashToken('other'))).toEqual({ outcome: 'unknown' })
})

test('the link ends every login of its device, forgets it, and leaves other devices alone', async () => {
  const [first, later, other] = [newToken(), newToken(), newToken()]
  await logIn('nonce-stolen-12345', { token: first })
  const token = hashToken(linkIn((await sentMails())[0]?.text ?? ''))
  await logIn('nonce-stolen-12345', { token: later })
  await logIn('nonce-mine-1234567', { token: other })
  await useLink(sql, actions(), token)
  const revoked = await sql<{ hash: string }[]>`
    select encode(token_hash, 'hex') as hash from revoked_tokens where organization_id = ${organization.id}`
  expect(revoked.map(({ hash }) => hash).sort()).toEqual([first.hash, later.hash].sort())
  expect(await logIn('nonce-mine-1234567')).toBe(false)
  expect(await logIn('nonce-stolen-12345')).toBe(true)
})

test('a device is named in our own words, whatever its header says', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'
  expect(deviceName(chrome)).toBe('Chrome on Windows')
  expect(deviceName('<b>Call 555-0100</b> Android')).toBe('a browser on Android')
  expect(deviceName('node')).toBe('an app or a program')
  expect(deviceName(undefined)).toBe('an app or a program')
})

// Last, because it moves this database's clock.
test('a device becomes known a day after its email, or after a longer delay, and never after its link was used', async () => {
  await logIn('nonce-known-123456')
  const token = hashToken(linkIn((await sentMails())[0]?.text ?? ''))
  expect(await isKnown('nonce-known-123456')).toBe(false)
  await advanceClock(sql, dayMs - 60_000)
  expect(await isKnown('nonce-known-123456')).toBe(false)
  await advanceClock(sql, 61_000)
  expect(await isKnown('nonce-known-123456')).toBe(true)
  expect(await isKnown('nonce-other-123456')).toBe(false)
  expect(await isKnown('nonce-known-123456', 3 * 86_400)).toBe(false)
  await advanceClock(sql, 2 * dayMs)
  expect(await isKnown('nonce-known-123456', 3 * 86_400)).toBe(true)
  await useLink(sql, actions(), token)
  expect(await isKnown('nonce-known-123456')).toBe(false)
  await logIn('nonce-known-123456')
  expect(await isKnown('nonce-known-123456')).toBe(false)
})
