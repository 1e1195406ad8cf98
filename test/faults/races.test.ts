import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@symbolon/api'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import type { Answer } from '@symbolon/testing/http'
import {
  type ApiProcess,
  asUser,
  createMyWallet,
  createOrganization,
  createWalletFor,
  identify,
  inTurn,
  logIn,
  mailedCode,
  mintSecretKeys,
  mintToken,
  newEmail,
  type Organization,
  type PlatformProcesses,
  secret,
  signFor,
  signMine,
  startLogin,
  startPlatformProcesses,
  type User,
  verifyLogin,
} from '@symbolon/testing/platform'
import { rounds } from '@symbolon/testing/properties'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSymbolon } from '../cli/run-symbolon.ts'

const askers = 64
/** Without its lock, a signature slips through in most rounds. */
const archivals = rounds({ suite: 6, night: 25 })
const ends = rounds({ suite: 4, night: 10 })
let database: TestDatabase
let platform: PlatformProcesses
let organization: Organization
let keys: { id: string; key: string }[]
let nextKey: () => { id: string; key: string }
let user: User

beforeAll(async () => {
  database = await testDatabase()
  platform = await startPlatformProcesses({ databaseUrl: database.url })
  organization = await createOrganization(api(0))
  // All guesses come from one address. The bound on those has tests of its own; here the code's own bound is raced.
  await platform.sql`update organizations set trusted_clients = array['127.0.0.1/32', '::1/128']::inet[]
    where id = ${organization.id}`
  keys = await mintSecretKeys(platform, organization.id, 200)
  nextKey = inTurn(keys)
  user = await logIn(platform, api(0), organization)
})

afterAll(async () => {
  await platform?.stop()
  await database?.drop()
})

/** Requests go to both processes in turn. */
function api(i: number): ApiProcess {
  const found = platform.apis[i % platform.apis.length]
  if (found === undefined) throw new Error('no API process')
  return found
}

const atOnce = <result>(count: number, run: (i: number) => Promise<result>): Promise<result[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => run(i)))

const ofStatus = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status)

async function events(where: { type?: number; walletId?: string; actorId?: string; after?: number }) {
  const { sql } = platform
  return sql<{ n: number; type: number; success: boolean }[]>`
    select n::integer, type, success from audit_events where organization_id = ${organization.id}
      and (${where.walletId ?? null}::uuid is null or wallet_id = ${where.walletId ?? null}::uuid)
      and (${where.actorId ?? null}::text is null or actor_id = ${where.actorId ?? null}::text)
      and n > ${where.after ?? 0} order by n`
}

const typeOf = { archived: 13, unarchived: 14, signed: 15, loggedOut: 21 }

test('of 64 wrong codes at once at most five are evaluated, and the right one is worthless after them', async () => {
  const email = newEmail()
  await startLogin(api(0), organization, email)
  const right = await mailedCode(platform, email)
  const wrong = (i: number) => String((Number(right) + 1 + i) % 1_000_000).padStart(6, '0')
  const answers = await atOnce(askers, (i) => verifyLogin(api(i), organization, email, wrong(i)))
  expect(new Set(answers.map(({ status, code }) => `${status} ${code}`))).toEqual(
    new Set(['401 invalid_code']),
  )
  const [counted] = await platform.sql`select attempts, consumed_at from login_codes where email = ${email}`
  expect(counted).toEqual({ attempts: 5, consumed_at: null })
  const late = await atOnce(4, (i) => verifyLogin(api(i), organization, email, right))
  expect(late.map(({ status, code }) => `${status} ${code}`)).toEqual(Array(4).fill('401 invalid_code'))
})

test('among 64 guesses the right code wins only as one of the first five', async () => {
  for (let round = 0; round < 3; round++) {
    const email = newEmail()
    await startLogin(api(0), organization, email)
    const right = await mailedCode(platform, email)
    // Every second guess is right: without the bound somebody always gets in twice.
    const guess = (i: number) =>
      i % 2 === 0 ? right : String((Number(right) + 1 + i) % 1_000_000).padStart(6, '0')
    const answers = await atOnce(askers, (i) => verifyLogin(api(i + round), organization, email, guess(i)))
    expect(ofStatus(answers, 200).length).toBeLessThanOrEqual(1)
    expect(ofStatus(answers, 401).length).toBeGreaterThanOrEqual(askers - 1)
    const [counted] = await platform.sql`select attempts from login_codes where email = ${email}`
    expect(counted?.['attempts']).toBeLessThanOrEqual(5)
  }
})

test('the right code, 64 times at once, makes exactly one token', async () => {
  const email = newEmail()
  await startLogin(api(0), organization, email)
  const right = await mailedCode(platform, email)
  const answers = await atOnce(askers, (i) => verifyLogin(api(i), organization, email, right))
  expect(ofStatus(answers, 200)).toHaveLength(1)
  expect(ofStatus(answers, 401)).toHaveLength(askers - 1)
  expect(await platform.sql`select 1 from identities where email = ${email}`).toHaveLength(1)
})

test('64 creations of one wallet at once make one row, one 201, and 63 times 409 with it', async () => {
  const makers = [
    (i: number) => createMyWallet(api(i), organization, user),
    (i: number) => createWalletFor(api(i), nextKey().key, 'one-of-64'),
  ]
  for (const make of makers) {
    const answers = await atOnce(askers, make)
    const [made, ...others] = ofStatus(answers, 201)
    expect(others).toHaveLength(0)
    const refused = ofStatus(answers, 409)
    expect(refused).toHaveLength(askers - 1)
    for (const { code, data } of refused) {
      expect(code).toBe('wallet_exists')
      expect(data).toEqual(made?.data)
    }
    const recorded = await events({ walletId: String(made?.data['id']) })
    expect(recorded).toEqual([{ n: expect.any(Number), type: 0, success: true }])
  }
  const [counted] = await platform.sql`
    select c.wallets::integer, (select count(*)::integer from wallets w where w.organization_id = c.organization_id) as rows
    from organization_counters c where c.organization_id = ${organization.id}`
  expect(counted).toEqual({ wallets: 2, rows: 2 })
})

/**
 * Asks without pause from both processes while `stop` runs, and a little longer. Answers what was asked after `stop` had
 * answered, and everything else.
 */
async function hammer(
  ask: (api: ApiProcess) => Promise<Answer>,
  stop: () => Promise<void>,
): Promise<{ before: Answer[]; after: Answer[] }> {
  const before: Answer[] = []
  const after: Answer[] = []
  let isStopped = false
  let isOver = false
  const loops = atOnce(12, async (i) => {
    while (!isOver) {
      const wasStopped = isStopped
      const answer = await ask(api(i))
      ;(wasStopped ? after : before).push(answer)
    }
  })
  try {
    // At any moment of the others.
    await sleep(randomInt(40))
    while (!before.some(({ data }) => 'signature' in data)) await sleep(1)
    await stop()
    isStopped = true
    // Both processes, at the very moment.
    after.push(...(await atOnce(4, (i) => ask(api(i)))))
  } finally {
    isOver = true
    await loops
  }
  return { before, after }
}

async function make(name: string): Promise<string> {
  const { status, data, text } = await createWalletFor(api(0), nextKey().key, name)
  if (status !== 201) throw new Error(`no wallet: ${text}`)
  return String(data['id'])
}

test('after archive has answered no process signs, and after unarchive every process does', async () => {
  const walletId = await make('archived-often')
  const setStatus = (verb: string, i: number) =>
    api(i).call(`/v1/s2s/wallets/${walletId}/${verb}`, { method: 'POST', headers: secret(nextKey().key) })
  let acknowledged = 0
  for (let round = 0; round < archivals; round++) {
    const { before, after } = await hammer(
      (at) => signFor(at, nextKey().key, walletId),
      async () => {
        expect((await setStatus('archive', round)).status).toBe(204)
      },
    )
    expect(new Set(after.map(({ status, code }) => `${status} ${code}`))).toEqual(
      new Set(['409 wallet_archived']),
    )
    expect(before.filter(({ status }) => ![200, 409].includes(status)).map(({ text }) => text)).toEqual([])
    acknowledged += ofStatus(before, 200).length
    expect((await setStatus('unarchive', round + 1)).status).toBe(204)
    const again = await atOnce(4, (i) => signFor(api(i), nextKey().key, walletId))
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    acknowledged += 4
  }
  const recorded = await events({ walletId })
  let isArchived = false
  for (const { type, success } of recorded) {
    if (type === typeOf.archived) isArchived = true
    if (type === typeOf.unarchived) isArchived = false
    if (type === typeOf.signed && success) expect(isArchived).toBe(false)
  }
  expect(recorded.filter(({ type }) => type === typeOf.archived)).toHaveLength(archivals)
  expect(recorded.filter(({ type, success }) => type === typeOf.signed && success)).toHaveLength(acknowledged)
})

test('after logout has answered no process accepts the token or signs with it', async () => {
  const { sql } = platform
  await createMyWallet(api(0), organization, user)
  for (let round = 0; round < ends; round++) {
    const token = mintToken(platform, organization, user)
    let turn = round
    const { after } = await hammer(
      async (at) => {
        if (turn++ % 2 === 0) return identify(at, organization, token)
        // The documented rate would hide the race: one signature in five seconds.
        await sql`delete from rate_limits where key = ${`user-sign:${user.identityId}`}`
        return signMine(at, organization, token)
      },
      async () => {
        const answer = await api(round).call('/v1/wallets/me/logout', {
          method: 'POST',
          headers: asUser(organization, token),
        })
        expect(answer.status).toBe(204)
      },
    )
    expect(new Set(after.map(({ status, code }) => `${status} ${code}`))).toEqual(
      new Set(['401 token_revoked']),
    )
    const recorded = await events({ actorId: user.identityId })
    const loggedOut = recorded.findLast(({ type }) => type === typeOf.loggedOut)?.n ?? Number.NaN
    expect(
      recorded.filter(({ n, type, success }) => n > loggedOut && type === typeOf.signed && success),
    ).toEqual([])
  }
})

test('after a key was revoked no process accepts it or signs for it', async () => {
  const walletId = await make('of-revoked-keys')
  for (const { id, key } of keys.splice(0, ends)) {
    let eventsAtRevocation = 0
    const { after } = await hammer(
      (at) => signFor(at, key, walletId),
      () =>
        platform.sql.begin(async (tx) => {
          // As whoever revokes does: under the lock that every commit of a signature takes.
          const [counters] = await tx<{ events: number }[]>`
            select events::integer from organization_counters where organization_id = ${organization.id} for update`
          await tx`update api_keys set revoked_at = app_now() where id = ${id}`
          eventsAtRevocation = counters?.events ?? 0
        }),
    )
    expect(new Set(after.map(({ status, code }) => `${status} ${code}`))).toEqual(
      new Set(['401 unauthorized']),
    )
    const late = await events({ actorId: id, after: eventsAtRevocation })
    expect(late.filter(({ type, success }) => type === typeOf.signed && success)).toEqual([])
    expect((await events({ actorId: id })).length).toBeGreaterThan(0)
  }
  nextKey = inTurn(keys)
})

test('56 requests at once with one Idempotency-Key have one effect and one answer', async () => {
  const walletId = await make('signs-once')
  const requests: [string, object][] = [
    ['/v1/s2s/wallets', { provider_user_id: 'made-once' }],
    ['/v1/s2s/sign', { wallet_id: walletId, type: 'message', message: 'once', encoding: 'utf8' }],
  ]
  for (const [path, body] of requests) {
    const headers = { ...secret(nextKey().key), 'idempotency-key': randomUUID() }
    const [before] = await platform.sql<
      { events: number }[]
    >`select events::integer from organization_counters where organization_id = ${organization.id}`
    const answers = await atOnce(56, (i) => api(i).call(path, { method: 'POST', headers, body }))
    const succeeded = answers.filter(({ status }) => status < 300)
    const firsts = succeeded.filter((answer) => answer.headers['idempotent-replayed'] === undefined)
    expect(firsts).toHaveLength(1)
    expect(new Set(succeeded.map(({ text }) => text)).size).toBe(1)
    const others = answers.filter(({ status }) => status >= 300)
    expect(new Set([...others.map(({ code }) => code), 'idempotency_key_in_flight']).size).toBe(1)
    const replay = await api(1).call(path, { method: 'POST', headers, body })
    expect([replay.text, replay.headers['idempotent-replayed']]).toEqual([firsts[0]?.text, 'true'])
    const [after] = await platform.sql<
      { events: number }[]
    >`select events::integer from organization_counters where organization_id = ${organization.id}`
    expect((after?.events ?? 0) - (before?.events ?? 0)).toBe(1)
  }
})

test('a rate holds over both processes to the last request', async () => {
  const { burst, periodMs } = limits.s2s
  const { key } = nextKey()
  const startedAt = performance.now()
  const answers = await atOnce(240, (i) => api(i).call('/v1/s2s/wallets?limit=1', { headers: secret(key) }))
  const elapsedMs = performance.now() - startedAt
  const granted = ofStatus(answers, 200).length
  expect(ofStatus(answers, 429)).toHaveLength(240 - granted)
  expect(granted).toBeGreaterThanOrEqual(burst)
  expect(granted).toBeLessThanOrEqual(burst + Math.floor(elapsedMs / periodMs) + 1)
  for (const { headers } of ofStatus(answers, 429)) expect(Number(headers['retry-after'])).toBeGreaterThan(0)

  const token = mintToken(platform, organization, user)
  await platform.sql`delete from rate_limits where key = ${`user-sign:${user.identityId}`}`
  const signed = await atOnce(30, (i) => signMine(api(i), organization, token))
  expect(ofStatus(signed, 200)).toHaveLength(limits['user-sign'].burst)
})

test("an operator's figure for signatures holds from the next request on, over both processes", async () => {
  const token = mintToken(platform, organization, user)
  const quota = await runSymbolon(['org', 'quota', organization.id, '--user-signs-per-minute', '240'], {
    DATABASE_URL: database.url,
  })
  expect(quota).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^signatures per user and minute {2}240\n/),
  })
  await platform.sql`delete from rate_limits where key = ${`user-sign:${user.identityId}`}`
  const signed = await atOnce(60, (i) => signMine(api(i), organization, token))
  expect(ofStatus(signed, 200)).toHaveLength(60)
  expect(signed[0]?.headers['ratelimit-limit']).toBe('60')
})
