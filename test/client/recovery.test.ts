import type { Wallet } from '@symbolon/api'
import {
  forgetRates,
  login,
  mailedCode,
  mailsTo,
  mailTo,
  makeTenant,
  otherCode,
  startClock,
  startTestApp,
  stopClock,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import {
  archiveText,
  clockText,
  holdOrganization,
  makeClockMovable,
  untilWaiting,
} from '@symbolon/testing/database'
import {
  base64,
  makeClientWallet,
  newClientKey,
  outcome,
  rebuilt,
  recoverySteps,
  split,
} from '@symbolon/testing/wallets'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let app: TestApp
let second: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
  tenant = await makeTenant(app, { signingMode: 'client' })
})
afterAll(async () => {
  await second.stop()
  await app.stop()
})
afterEach(async () => {
  await startClock(app)
  await forgetRates(app) // What was counted while the clock was ahead.
})

async function owner() {
  const user = await login(app, tenant)
  const { key, wallet } = await makeClientWallet(app, user)
  return { user, key, wallet, steps: recoverySteps(app, user) }
}

const events = async (walletId: string) => {
  const rows = await app.sql<{ type: number; success: boolean; error_code: string | null }[]>`
    select type, success, error_code from audit_events where wallet_id = ${walletId} and type in (3, 4, 5) order by n`
  const names: Record<number, string> = { 3: 'initiated', 4: 'verified', 5: 'completed' }
  return rows.map((row) => `${names[row.type]} ${row.success ? 'ok' : row.error_code}`)
}

const walletOf = async ({ pk, token }: User) =>
  (await app.call<Wallet>('GET', '/v1/wallets/me', { pk, token })).data

/** What a recovery from now on rebuilds. */
async function recoveredKey(user: User): Promise<{ key: Uint8Array; version: unknown }> {
  await app.sql`update recovery_processes set created_at = created_at - interval '1 day' where user_identity_id = ${user.id}`
  const { data } = await recoverySteps(app, user).verified()
  const key = rebuilt(data['provider_share'], data['recovery_share'])
  return { key, version: data['polynomial_version'] }
}

test('a lost device is recovered: the emailed code opens both shares, new ones replace them, an email reports it', async () => {
  const { user, key, wallet, steps } = await owner()
  const { id, code: mailed } = await steps.start()
  expect((await steps.read(id)).data).toEqual({
    recovery_process_id: id,
    wallet_id: wallet.id,
    state: 'open',
    ready_at: null,
    expires_at: expect.any(String),
  })
  const { status, data } = await steps.verify(id, mailed)
  expect(status).toBe(200)
  expect(data).toEqual({
    wallet_id: wallet.id,
    provider_share: base64(key.provider),
    recovery_share: base64(key.recovery),
    polynomial_version: 1,
  })
  expect((await steps.read(id)).data['state']).toBe('verified')

  const fresh = split(rebuilt(data['provider_share'], data['recovery_share']), [7, 8, 9])
  expect((await steps.complete(id, fresh)).status).toBe(204)
  expect((await steps.read(id)).data['state']).toBe('completed')
  expect(await walletOf(user)).toEqual({
    ...wallet,
    polynomial_version: 2,
    updated_at: expect.not.stringMatching(wallet.updated_at),
  })
  const share = await app.call('POST', '/v1/wallets/me/shares/provider', user)
  expect(share.data).toEqual({
    wallet_id: wallet.id,
    provider_share: base64(fresh.provider),
    share_index: 8,
  })
  expect((await recoveredKey(user)).key).toEqual(new Uint8Array(key.secret))

  const notice = await mailTo(app, user.email, 'Subject: Your wallet was recovered')
  expect(notice).toMatch(/\d{4}-\d\d-\d\d\s+\d\d:\d\d UTC/)
  expect(notice).toContain(wallet.address)
  const old = await app.sql`
    select provider_envelope as share, rotated_at from wallet_shares where wallet_id = ${wallet.id} and polynomial_version = 1
    union all select envelope, rotated_at from recovery_shares where wallet_id = ${wallet.id} and polynomial_version = 1`
  expect(old.map((row) => [row['share'], row['rotated_at'] !== null])).toEqual([
    [null, true],
    [null, true],
  ])
  expect((await events(wallet.id)).slice(0, 3)).toEqual(['initiated ok', 'verified ok', 'completed ok'])
})

test('the fifth wrong code locks the process, and the right one comes too late', async () => {
  const { wallet, steps } = await owner()
  const { id, code: mailed } = await steps.start()
  const wrong = otherCode(mailed)
  const answers: string[] = []
  for (let i = 0; i < 5; i++) answers.push(outcome(await steps.verify(id, wrong)))
  expect(answers).toEqual(Array(5).fill('401 invalid_code'))
  expect((await steps.read(id)).data['state']).toBe('locked')
  expect(outcome(await steps.verify(id, mailed))).toBe('409 process_state')
  expect(outcome(await steps.complete(id, newClientKey()))).toBe('409 process_state')
  expect(await events(wallet.id)).toEqual(['initiated ok', ...Array(5).fill('verified invalid_code')])
})

test('of a hundred guesses at once, at two processes, five are compared', async () => {
  const { user, steps } = await owner()
  const { id, code: mailed } = await steps.start()
  const elsewhere = recoverySteps({ ...second, mailServer: app.mailServer }, user)
  const guesses = Array.from({ length: 100 }, (_, i) =>
    (i % 2 === 0 ? steps : elsewhere).verify(id, otherCode(mailed)),
  )
  const answers = (await Promise.all(guesses)).map(outcome)
  expect(answers.filter((answer) => answer === '401 invalid_code')).toHaveLength(5)
  expect(answers.filter((answer) => answer === '409 process_state')).toHaveLength(95)
})

test('the right code is answered once, however often it comes at once', async () => {
  const { steps, wallet } = await owner()
  const { id, code: mailed } = await steps.start()
  const answers = (await Promise.all(Array.from({ length: 6 }, () => steps.verify(id, mailed)))).map(outcome)
  expect(answers.filter((answer) => answer === '200')).toHaveLength(1)
  expect(answers.filter((answer) => answer === '409 process_state')).toHaveLength(5)
  expect((await events(wallet.id)).filter((event) => event === 'verified ok')).toHaveLength(1)
  expect(outcome(await steps.verify(id, mailed))).toBe('409 process_state')
})

test('a new start ends the earlier process, verified or not', async () => {
  const { steps } = await owner()
  const first = await steps.start()
  const next = await steps.verified()
  expect(outcome(await steps.verify(first.id, first.code))).toBe('410 expired')
  const last = await steps.start()
  expect(outcome(await steps.complete(next.id, newClientKey()))).toBe('410 expired')
  expect((await steps.read(next.id)).data['state']).toBe('expired')
  expect(
    outcome(await steps.verify(last.id, first.code === last.code ? otherCode(last.code) : first.code)),
  ).toBe('401 invalid_code')
  expect((await steps.verify(last.id, last.code)).status).toBe(200)
})

test('the right code works for all fifteen minutes of its process', async () => {
  const { steps } = await owner()
  const nowMs = Date.now()
  const minutes = (count: number) => stopClock(app, nowMs + count * 60_000)
  await minutes(0)
  const { id, code: mailed } = await steps.start()
  await minutes(14.999)
  expect(outcome(await steps.verify(id, otherCode(mailed)))).toBe('401 invalid_code')
  expect((await steps.read(id)).data['state']).toBe('open')
  await minutes(15)
  expect((await steps.read(id)).data['state']).toBe('expired')
  expect(outcome(await steps.verify(id, mailed))).toBe('410 expired')

  const late = await steps.start()
  await minutes(29.999)
  expect(outcome(await steps.verify(late.id, late.code))).toBe('200')
  const verified = late.id
  await minutes(30)
  expect(outcome(await steps.complete(verified, newClientKey()))).toBe('410 expired')
})

test('five starts in fifteen minutes and ten in a day are the most, also at once and over two processes', async () => {
  const { user, steps } = await owner()
  const elsewhere = recoverySteps({ ...second, mailServer: app.mailServer }, user)
  const nowMs = Date.now()
  const minutes = (count: number) => stopClock(app, nowMs + count * 60_000)
  await minutes(0)
  const burst = await Promise.all(
    Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? steps : elsewhere).initiate()),
  )
  expect(burst.filter(({ status }) => status === 200)).toHaveLength(5)
  const refused = burst.filter((answer) => outcome(answer) === '429 rate_limited')
  expect(refused).toHaveLength(7)
  expect(refused[0]?.headers.get('retry-after')).toBe('900')
  await minutes(14.99)
  expect(outcome(await steps.initiate())).toBe('429 rate_limited')
  await minutes(15)
  for (const remaining of ['4', '3', '2', '1', '0']) {
    const started = await steps.initiate()
    expect([started.status, started.headers.get('ratelimit-remaining')]).toEqual([200, remaining])
  }
  await minutes(45)
  const day = await steps.initiate()
  expect([outcome(day), day.headers.get('retry-after')]).toEqual([
    '429 rate_limited',
    String((24 * 60 - 45) * 60),
  ])
  // The caps are the wallet's own; login codes and other wallets are apart.
  const login = { pk: tenant.pk, json: { email: user.email } }
  expect((await app.call('POST', '/v1/wallets/auth/email-otp/start', login)).status).toBe(204)
  expect((await (await owner()).steps.initiate()).status).toBe(200)
})

test('a recovery code opens no login, and a login code no recovery', async () => {
  const { user, steps } = await owner()
  const { id, code: mailed } = await steps.start()
  const verify = (given: string) =>
    app.call('POST', '/v1/wallets/auth/email-otp/verify', {
      pk: tenant.pk,
      json: { email: user.email, code: given },
    })
  expect(outcome(await verify(mailed))).toBe('401 invalid_code')
  const before = mailsTo(app, user.email).length
  await app.call('POST', '/v1/wallets/auth/email-otp/start', { pk: tenant.pk, json: { email: user.email } })
  const loginCode = await mailedCode(app, user.email, before)
  if (loginCode !== mailed) {
    expect(outcome(await verify(mailed))).toBe('401 invalid_code')
    expect(outcome(await steps.verify(id, loginCode))).toBe('401 invalid_code')
  }
  expect((await steps.verify(id, mailed)).status).toBe(200)
  expect((await verify(loginCode)).status).toBe(200)
})

test('a process belongs to its user: for anybody else it is not there', async () => {
  const { steps } = await owner()
  const { id, code: mailed } = await steps.start()
  const stranger = (await owner()).steps
  const elsewhere = await makeTenant(app, { signingMode: 'client' })
  const foreign = recoverySteps(app, await login(app, elsewhere))
  for (const [other, wanted] of [
    [stranger, '404 not_found'],
    [foreign, '404 wallet_not_found'],
  ] as const) {
    expect(outcome(await other.verify(id, mailed))).toBe(wanted)
    expect(outcome(await other.complete(id, newClientKey()))).toBe(wanted)
    expect(outcome(await other.read(id))).toBe(wanted)
  }
  expect(outcome(await foreign.initiate())).toBe('404 wallet_not_found')
  expect((await steps.verify(id, mailed)).status).toBe(200)
})

test('an archived wallet is not recovered, at any step, and the right code stays usable', async () => {
  const { steps, wallet } = await owner()
  const set = (verb: string) => app.call('POST', `/v1/s2s/wallets/${wallet.id}/${verb}`, { sk: tenant.sk })
  const { id, code: mailed } = await steps.start()
  await set('archive')
  expect(outcome(await steps.initiate())).toBe('409 wallet_archived')
  expect(outcome(await steps.verify(id, mailed))).toBe('409 wallet_archived')
  await set('unarchive')
  expect((await steps.verify(id, mailed)).status).toBe(200)
  await set('archive')
  expect(outcome(await steps.complete(id, newClientKey()))).toBe('409 wallet_archived')
})

test.each([
  ['a wallet that is archived', '409 wallet_archived', (id: string) => archiveText(tenant.id, id)],
  ['a login that ends', '401 token_expired', () => clockText(1.01)],
])('%s while verify or complete is on its way stops it there', async (_, wanted, change) => {
  for (const step of ['verify', 'complete'] as const) {
    const { user, steps, wallet, key } = await owner()
    const { id, code: mailed } = await steps.start()
    if (step === 'complete') await steps.verify(id, mailed)
    // Its process would be over too: only the guard is meant.
    await app.sql`update recovery_processes set expires_at = expires_at + interval '1 day' where id = ${id}`
    await makeClockMovable(app)
    const release = await holdOrganization(app, tenant.id)
    const answer = step === 'verify' ? steps.verify(id, mailed) : steps.complete(id, split(key.secret))
    await untilWaiting(app)
    await release(change(wallet.id))
    expect(outcome(await answer)).toBe(wanted)
    await startClock(app)
    await app.sql`select set_wallet_status(${tenant.id}, ${wallet.id}, 'active')`
    expect((await steps.read(id)).data['state']).toBe(step === 'verify' ? 'open' : 'verified')
    expect((await walletOf(user)).polynomial_version).toBe(1)
    if (step === 'verify') expect((await steps.verify(id, mailed)).status).toBe(200)
    else expect((await steps.complete(id, split(key.secret))).status).toBe(204)
  }
})

test('new shares are checked as at creation, and a refusal leaves the process as it was', async () => {
  const { steps, key, user } = await owner()
  const { id } = await steps.verified()
  const good = split(key.secret)
  const zero = Uint8Array.from([...good.recovery.subarray(0, 32), 0])
  const short = good.provider.subarray(1)
  expect(outcome(await steps.complete(id, { ...good, provider: good.recovery }))).toBe('400 invalid_share')
  const call = (json: object) => app.call('POST', `/v1/wallets/me/recovery/${id}/complete`, { ...user, json })
  const body = {
    new_provider_share: base64(good.provider),
    new_provider_share_index: 2,
    new_recovery_share: base64(good.recovery),
    new_recovery_share_index: 3,
  }
  expect(outcome(await call({ ...body, new_recovery_share: base64(zero) }))).toBe('400 invalid_share')
  expect(outcome(await call({ ...body, new_provider_share: base64(short) }))).toBe('400 invalid_share')
  expect(outcome(await call({ ...body, new_provider_share_index: 4 }))).toBe('400 invalid_share')
  expect(outcome(await call({ ...body, new_provider_share_index: 0 }))).toBe('400 invalid_request')
  expect((await call(body)).status).toBe(204)
  expect(outcome(await call(body))).toBe('409 process_state')
})

test('of many completions at once one wins, and the pair in force is its pair, one version up', async () => {
  for (let round = 0; round < 5; round++) {
    const { user, key, steps } = await owner()
    const { id } = await steps.verified()
    const elsewhere = recoverySteps({ ...second, mailServer: app.mailServer }, user)
    const tries = Array.from({ length: 6 }, () => split(key.secret))
    const answers = await Promise.all(
      tries.map((shares, i) => (i % 2 === 0 ? steps : elsewhere).complete(id, shares)),
    )
    expect(answers.map(outcome).sort()).toEqual(['204', ...Array(5).fill('409 process_state')])
    const winner = tries[answers.findIndex(({ status }) => status === 204)]
    const share = await app.call('POST', '/v1/wallets/me/shares/provider', user)
    expect(share.data['provider_share']).toBe(base64(winner?.provider ?? new Uint8Array()))
    const recovered = await recoveredKey(user)
    expect(recovered).toEqual({ key: new Uint8Array(key.secret), version: 2 })
  }
})

test('shares of another wallet, kind, index or version do not open in a row that is not theirs', async () => {
  const one = await owner()
  const two = await owner()
  const { id } = await one.steps.verified()
  await one.steps.complete(id, split(one.key.secret))
  const swapped = async (statement: Promise<unknown>) => {
    await statement
    await app.sql`delete from rate_limits`
    return (await app.call('POST', '/v1/wallets/me/shares/provider', one.user)).status
  }
  const rowOf = (walletId: string) => app.sql<{ envelope: Buffer }[]>`
    select provider_envelope as envelope from wallet_shares where wallet_id = ${walletId} and rotated_at is null`
  const [own] = await rowOf(one.wallet.id)
  const [foreign] = await rowOf(two.wallet.id)
  const put = (row: { envelope: Buffer } | undefined) => app.sql`
    update wallet_shares set provider_envelope = ${row?.envelope ?? null} where wallet_id = ${one.wallet.id} and rotated_at is null`
  expect(await swapped(put(foreign))).toBe(500)
  const [recovery] = await app.sql<{ envelope: Buffer }[]>`
    select envelope from recovery_shares where wallet_id = ${one.wallet.id} and rotated_at is null`
  expect(await swapped(put(recovery))).toBe(500)
  await put(own)
  const moved = (column: string, value: number) =>
    app.sql.unsafe(
      `update wallet_shares set ${column} = ${value} where wallet_id = '${one.wallet.id}' and rotated_at is null`,
    )
  expect(await swapped(moved('provider_index', 77))).toBe(500)
  expect(await swapped(moved('provider_index', 2))).toBe(200)
  expect(await swapped(moved('polynomial_version', 5))).toBe(500)
})

test('tries are throttled by user, by address and by organization', async () => {
  const { steps, user } = await owner()
  const { id, code: mailed } = await steps.start()
  for (const key of [
    `recovery-user:${user.id}`,
    `recovery-address:127.0.0.1`,
    `recovery-organization:${tenant.id}`,
  ]) {
    await app.sql`insert into rate_limits (key, tat, seen_at, period_seconds, burst, granted)
      values (${key}, extract(epoch from app_now()) + 10000, extract(epoch from app_now()), 1, 1, 0)
      on conflict (key) do update set tat = excluded.tat`
    const refused = await steps.verify(id, mailed)
    expect(outcome(refused)).toBe('429 rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await app.sql`delete from rate_limits`
  }
  expect((await steps.verify(id, mailed)).status).toBe(200)
})

test('a repeated idempotency key never answers shares twice', async () => {
  const { user, steps } = await owner()
  const { id, code: mailed } = await steps.start()
  const given = { ...user, headers: { 'idempotency-key': 'once' }, json: { code: mailed } }
  const call = () => app.call('POST', `/v1/wallets/me/recovery/${id}/verify`, given)
  expect((await call()).status).toBe(200)
  expect(outcome(await call())).toBe('409 idempotency_key_spent')
})
