import { createSecretKey, randomBytes } from 'node:crypto'
import { auditEventTypes } from '@symbolon/api'
import {
  advanceClock,
  testIds as ids,
  seedOrganization,
  type TestDatabase,
  testDatabase,
  testLog,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import { databaseLimiter } from '../../http/limiter.ts'
import type { Organization } from '../../http/principal.ts'
import { orThrow } from '../../runtime/failure.ts'
import { auditWriter } from '../audit/audit-writer.ts'
import { outbox } from '../outbox/outbox.ts'
import { type AuthCtx, logout, startLogin, verifyLogin } from './auth.ts'
import { readJwt } from './jwt.ts'
import { serviceTokens, verifyServiceToken } from './service-token.ts'
import { tokenName } from './token-name.ts'

const pepper = createSecretKey(randomBytes(32))
const master = { kid: 'm1', secret: createSecretKey(randomBytes(32)) }
const mails = outbox({ kind: 'mail', master: pepper, ids, onNudge: () => {} })
const tokens = serviceTokens({ baseUrl: 'http://127.0.0.1:8080', masters: [master] })

let database: TestDatabase
let sql: Sql
let pools: Sql[]
/** The same login in two processes' worth of pools. */
let ctxs: [AuthCtx, AuthCtx]
let organization: Organization

/** A login on one process's pool. */
const make = (pool: Sql): AuthCtx => ({
  sql: pool,
  ids,
  audit: auditWriter({ sql: pool, ids, log: testLog() }),
  devices: {
    ids,
    pepper,
    links: {
      random: (length) => randomBytes(length),
      hashToken: () => randomBytes(32),
      baseUrl: tokens.baseUrl,
    },
    outbox: mails,
  },
  codes: { pepper, random: (length) => randomBytes(length), limiter: databaseLimiter(pool) },
  tokens,
})

beforeAll(async () => {
  database = await testDatabase()
  sql = database.sql
  pools = [openPool(database.url, { connectionsMax: 16 }), openPool(database.url, { connectionsMax: 16 })]
  ctxs = [make(pools[0] as Sql), make(pools[1] as Sql)]
})

afterAll(async () => {
  for (const pool of pools) await pool.end({ timeout: 1 })
  await database.drop()
})

beforeEach(async () => {
  organization = await seedOrganization(sql)
  // What one client address may do is another file's.
  await sql`update organizations set trusted_clients = array['203.0.113.0/24'::inet]`
})

const either = (i: number): AuthCtx => ctxs[i % 2] as AuthCtx
const noRate = () => {}
const request = { address: '203.0.113.7', userAgent: undefined }
const start = async (email: string, i = 0) =>
  orThrow(await startLogin(either(i), { organization, email, request }, noRate))
const verify = async (email: string, code: string, i = 0) =>
  orThrow(await verifyLogin(either(i), { organization, email, code, request }, noRate))
const codesOf = async () =>
  (await sql<{ id: string; sealed_payload: Uint8Array }[]>`select id, sealed_payload from outbox order by id`)
    .map(({ id, sealed_payload }) => mails.open({ id, sealedPayload: sealed_payload }))
    .flatMap(({ to, subject }) => (/^\d{6} /.test(subject) ? [{ to, code: subject.slice(0, 6) }] : []))
const codeOf = async (email: string) => (await codesOf()).filter(({ to }) => to === email).at(-1)?.code ?? ''
const wrong = (code: string) => (code === '000000' ? '000001' : '000000')
const countEvents = async (success: boolean) =>
  (await sql`select 1 from audit_events where organization_id = ${organization.id} and success = ${success}`)
    .length

describe('start', () => {
  test('stores the code as a hash only, and seals the mail', async () => {
    await start('seal@example.test')
    const code = await codeOf('seal@example.test')
    expect(code).toMatch(/^\d{6}$/)
    const dump = JSON.stringify([
      await sql`select *, encode(salt, 'escape') s, encode(code_hash, 'escape') h from login_codes`,
    ])
    expect(dump).not.toContain(code)
    const sealed = await sql<{ text: string }[]>`select encode(sealed_payload, 'escape') as text from outbox`
    expect(sealed.some(({ text }) => text.includes(code) || text.includes('seal@'))).toBe(false)
  })

  test('of 64 parallel calls over two processes exactly five issue a code', async () => {
    const email = 'many@example.test'
    const answers = await Promise.allSettled(Array.from({ length: 64 }, (_, i) => start(email, i)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect((await codesOf()).filter(({ to }) => to === email)).toHaveLength(5)
    for (const answer of answers) {
      if (answer.status === 'fulfilled') continue
      expect(answer.reason).toMatchObject({ code: 'rate_limited', status: 429 })
      expect(answer.reason.retryAfterSeconds).toBeGreaterThan(890)
      expect(answer.reason.retryAfterSeconds).toBeLessThanOrEqual(900)
    }
    await start('other@example.test')
  })

  test('only the newest code counts', async () => {
    await start('newest@example.test')
    const first = await codeOf('newest@example.test')
    await start('newest@example.test')
    const second = await codeOf('newest@example.test')
    if (first !== second)
      await expect(verify('newest@example.test', first)).rejects.toMatchObject({ code: 'invalid_code' })
    await verify('newest@example.test', second)
  })

  test('takes the same time for a known and an unknown email', async () => {
    const known = Array.from({ length: 40 }, (_, i) => `known${i}@example.test`)
    for (const email of known) {
      await start(email)
      await verify(email, await codeOf(email))
    }
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    const timed = async (kind: 'known' | 'unknown', email: string) => {
      const from = performance.now()
      await start(email)
      times[kind].push(performance.now() - from)
    }
    for (const [i, email] of known.entries()) {
      const unknown = `unknown${i}@example.test`
      if (i % 2 === 0) await timed('known', email)
      await timed('unknown', unknown)
      if (i % 2 === 1) await timed('known', email)
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[values.length / 2] ?? 0
    const [a, b] = [median(times.known), median(times.unknown)]
    // A tolerance for busy machines; that the work itself is the same is the next test's.
    expect(Math.abs(a - b)).toBeLessThan(Math.max(3, 0.5 * Math.min(a, b)))
  })

  test('sends the database the same statements for a known and an unknown email', async () => {
    let statements: string[] = []
    const watched = openPool(database.url, {
      connectionsMax: 1,
      onStatement: ({ text }) => void statements.push(text),
    })
    const service = make(watched)
    const sent = async (email: string) => {
      statements = []
      await startLogin(service, { organization, email, request }, noRate)
      return statements
    }
    await sent('first@example.test')
    await start('member@example.test')
    await verify('member@example.test', await codeOf('member@example.test'))
    const known = await sent('member@example.test')
    expect(known).toHaveLength(1)
    expect(await sent('nobody@example.test')).toEqual(known)
    await watched.end()
  })

  test('an organization with its own identity provider is refused', async () => {
    const other: Organization = {
      ...organization,
      authMode: 'oidc',
      oidcIssuer: 'https://a.test',
      oidcAudience: 'x',
    }
    const input = { organization: other, email: 'a@b.test', code: '123456', request }
    const refused = { kind: 'error', code: 'auth_mode_mismatch' }
    expect(await startLogin(ctxs[0], input, noRate)).toEqual(refused)
    expect(await verifyLogin(ctxs[0], input, noRate)).toEqual(refused)
  })
})

describe('verify', () => {
  test('the right code gives a token of the same identity each time, and an event', async () => {
    const email = 'user@example.test'
    const identityIds = []
    for (let i = 0; i < 2; i++) {
      await start(email)
      const login = await verify(email, await codeOf(email), i)
      identityIds.push(login.identityId)
      const jwt = readJwt(login.token)
      if (jwt === undefined) throw new Error('no token')
      const claims = orThrow(verifyServiceToken(tokens, jwt, organization, Date.now()))
      expect(claims).toMatchObject({
        sub: login.identityId,
        email,
        aud: organization.id,
        auth_provider: 'service',
      })
      expect(claims.exp - claims.iat).toBe(3600)
    }
    expect(new Set(identityIds).size).toBe(1)
    expect(await countEvents(true)).toBe(2)
  })

  test('64 parallel right codes over two processes give exactly one token', async () => {
    const email = 'race@example.test'
    await start(email)
    const code = await codeOf(email)
    const answers = await Promise.allSettled(Array.from({ length: 64 }, (_, i) => verify(email, code, i)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ code: 'invalid_code', status: 401 })
    }
    expect(await countEvents(true)).toBe(1)
    expect(await countEvents(false)).toBe(63)
  })

  test('of 64 parallel wrong codes at most five are evaluated, and the right one is refused after them', async () => {
    const email = 'wrong@example.test'
    await start(email)
    const code = await codeOf(email)
    const answers = await Promise.allSettled(
      Array.from({ length: 64 }, (_, i) => verify(email, wrong(code), i)),
    )
    expect(
      answers.every((answer) => answer.status === 'rejected' && answer.reason.code === 'invalid_code'),
    ).toBe(true)
    const rows = await sql<{ attempts: number }[]>`select attempts from login_codes where email = ${email}`
    expect(rows[0]?.attempts).toBe(5)
    await expect(verify(email, code)).rejects.toMatchObject({ code: 'invalid_code' })
  })

  test('the right code passes after four wrong ones, and not after five', async () => {
    for (const [count, passes] of [
      [4, true],
      [5, false],
    ] as const) {
      const email = `count${count}@example.test`
      await start(email)
      const code = await codeOf(email)
      for (let i = 0; i < count; i++)
        await expect(verify(email, wrong(code), i)).rejects.toMatchObject({ code: 'invalid_code' })
      if (passes) await verify(email, code)
      else await expect(verify(email, code)).rejects.toMatchObject({ code: 'invalid_code' })
    }
  })

  test('a code opens neither another address nor another organization', async () => {
    await start('mine@example.test')
    await start('yours@example.test')
    const code = await codeOf('mine@example.test')
    if (code !== (await codeOf('yours@example.test'))) {
      await expect(verify('yours@example.test', code)).rejects.toMatchObject({ code: 'invalid_code' })
    }
    const other = await seedOrganization(sql)
    const stranger = { organization: other, email: 'mine@example.test', code, request }
    expect(await verifyLogin(ctxs[0], stranger, noRate)).toMatchObject({ code: 'invalid_code' })
    await verify('mine@example.test', code)
  })

  test('work on one address is bounded beyond the five guesses', async () => {
    const email = 'flood@example.test'
    const attempts = Array.from({ length: 320 }, (_, i) =>
      verify(email, '123456', i).catch((error: { code: string }) => error.code),
    )
    const codes = (await Promise.all(attempts)) as string[]
    expect(codes.filter((code) => code === 'invalid_code').length).toBeGreaterThanOrEqual(300)
    expect(codes).toContain('rate_limited')
  })
})

describe('logout', () => {
  test('revokes once, writes one event, and breaks the guard of what is still to be released', async () => {
    const email = 'bye@example.test'
    await start(email)
    const { token, identityId } = await verify(email, await codeOf(email))
    const jwt = readJwt(token)
    if (jwt === undefined) throw new Error('no token')
    const identity = { id: identityId, authProvider: 'service', providerUserId: email, email } as const
    const userToken = { hash: tokenName(jwt), expiresAt: new Date(Date.now() + 3_600_000).toISOString() }
    const audit = auditWriter({ sql: pools[1] as Sql, ids, log: testLog() })
    const release = () =>
      audit.release(
        {
          organizationId: organization.id,
          type: 'wallet.signed',
          actorType: 'end_user',
          actorId: identityId,
          success: true,
        },
        { token: userToken },
      )
    expect(await release()).toBeUndefined()
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => logout(either(i), { organization, identity, token: userToken })),
    )
    expect(await release()).toBe('token_revoked')
    const rows = await sql`select 1 from revoked_tokens where organization_id = ${organization.id}`
    expect(rows).toHaveLength(1)
    // Logged in, signed, logged out; the second release was refused.
    expect(await countEvents(true)).toBe(3)
  })
})

test('a logout holds although its event cannot be written, and the missing event is counted', async () => {
  await sql.unsafe(`
    create function refuse_event() returns trigger language plpgsql as $$ begin raise exception 'no more room'; end $$;
    create trigger refuse_logout before insert on audit_events for each row
      when (new.organization_id = '${organization.id}' and new.type = ${auditEventTypes.indexOf('user.logged_out')})
      execute function refuse_event()`)
  const email = 'gap@example.test'
  await start(email)
  const { identityId } = await verify(email, await codeOf(email))
  const identity = { id: identityId, authProvider: 'service', providerUserId: email, email } as const
  const token = { hash: 'ab'.repeat(32), expiresAt: new Date(Date.now() + 3_600_000).toISOString() }
  await logout(either(0), { organization, identity, token })
  await sql`drop trigger refuse_logout on audit_events`
  const rows = await sql`select c.events_missed::integer as missed, r.expires_at is not null as is_revoked
    from organization_counters c left join revoked_tokens r using (organization_id) where organization_id = ${organization.id}`
  expect(rows).toEqual([{ missed: 1, is_revoked: true }])
})

// Last, because they move this database's clock.
describe('time', () => {
  test('a code is worth nothing after ten minutes', async () => {
    await start('late@example.test')
    await start('later@example.test')
    const code = await codeOf('late@example.test')
    const later = await codeOf('later@example.test')
    await advanceClock(sql, 10 * 60_000 - 30_000)
    await verify('late@example.test', code)
    await advanceClock(sql, 31_000)
    await expect(verify('later@example.test', later)).rejects.toMatchObject({ code: 'invalid_code' })
  })

  test('after the fifth code of a day the next ones wait longer and longer', async () => {
    const email = 'window@example.test'
    await start(email)
    await advanceClock(sql, 10 * 60_000)
    for (let i = 0; i < 4; i++) await start(email)
    for (const minutes of [15, 30, 60, 120, 240]) {
      const refusal = await start(email).catch((error: { retryAfterSeconds: number }) => error)
      expect(refusal).toMatchObject({ code: 'rate_limited' })
      expect(refusal?.retryAfterSeconds).toBeLessThanOrEqual(minutes * 60)
      expect(refusal?.retryAfterSeconds).toBeGreaterThan(minutes * 60 - 5)
      await advanceClock(sql, minutes * 60_000)
      await start(email)
    }
    // Ten of the day: the next one is free a day after the first.
    const refusal = await start(email).catch((error: { retryAfterSeconds: number }) => error)
    const expected = 24 * 3_600 - 10 * 60 - 465 * 60
    expect(refusal?.retryAfterSeconds).toBeLessThanOrEqual(expected)
    expect(refusal?.retryAfterSeconds).toBeGreaterThan(expected - 15)
  })
})
