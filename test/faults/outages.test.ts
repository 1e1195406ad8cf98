import { randomUUID } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@symbolon/dev/testing/postgres'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import type { Answer } from '@symbolon/testing/http'
import {
  type ApiProcess,
  asUser,
  createMyWallet,
  createOrganization,
  createWalletFor,
  type FaultyWire,
  faultyWire,
  identify,
  inTurn,
  logIn,
  mailedCode,
  mintSecretKeys,
  newEmail,
  type Organization,
  type PlatformProcesses,
  secret,
  signFor,
  startLogin,
  startPlatformProcesses,
  type User,
  verifyLogin,
} from '@symbolon/testing/platform'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

// Nobody waits longer than this for an answer, whatever is out of reach: the 5 s after which requests are given up, and as
// much again for a machine that stands still meanwhile. One more time limit behind the first would be longer.
const answersWithinMs = 10_000
let database: TestDatabase
let databaseWire: FaultyWire
let mailWire: FaultyWire
let platform: PlatformProcesses
let api: ApiProcess
let organization: Organization
let nextKey: () => { id: string; key: string }
let user: User
let walletId: string

beforeAll(async () => {
  database = await testDatabase()
  databaseWire = await faultyWire(Number(new URL(database.url).port))
  const mailListens = await freePort()
  mailWire = await faultyWire(mailListens)
  platform = await startPlatformProcesses({
    databaseUrl: database.url,
    databasePort: databaseWire.port,
    mailPorts: { reached: mailWire.port, listens: mailListens },
    apiCount: 1,
  })
  const [only] = platform.apis
  if (only === undefined) throw new Error('no API process')
  api = only
  organization = await createOrganization(api)
  nextKey = inTurn(await mintSecretKeys(platform, organization.id, 20))
  user = await logIn(platform, api, organization)
  walletId = String((await createMyWallet(api, organization, user)).data['id'])
})

afterAll(async () => {
  await Promise.all([databaseWire, mailWire].map((wire) => wire?.cut().then(wire.mend)))
  await platform?.stop()
  await Promise.all([databaseWire?.close(), mailWire?.close()])
  await database?.drop()
})

/** Nothing was started anew to recover. */
let worker: number | undefined
afterEach(() => {
  worker ??= api.workerPid()
  expect(api.workerPid()).toBe(worker)
})

const said = ({ status, code }: Answer) => `${status} ${code}`
const sign = (id = walletId) => signFor(api, nextKey().key, id)
const create = (name: string) => createWalletFor(api, nextKey().key, name)

/** Clear, soon, and with the time to come back. */
function expectUnavailable(answers: readonly Answer[]) {
  expect(new Set(answers.map(said))).toEqual(new Set(['503 unavailable']))
  for (const { headers, text } of answers) {
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(text).not.toMatch(/ECONN|postgres|socket|file|enclave\.|\.ts\b/i)
  }
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(answersWithinMs)
}

async function expectDegraded(component: string) {
  const [health, ready] = await Promise.all([api.call('/v1/health'), api.call('/v1/ready')])
  expect([health.status, health.data]).toEqual([200, { status: 'degraded' }])
  // Probes of liveness give up after a second: no part that is away may restart a healthy API.
  expect(health.ms).toBeLessThan(1_000)
  expect(said(ready)).toBe('503 unavailable')
  const { components } = JSON.parse(ready.text).error.details
  const down = Object.entries<{ status: string }>(components).filter(
    ([, { status }]) => status !== 'up' && status !== 'off',
  )
  expect(down).toEqual([[component, expect.objectContaining({ status: 'down' })]])
}

async function eventually(what: () => Promise<Answer>, status: number, withinMs = 5_000): Promise<void> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await what()
    if (answer.status === status) return
    if (performance.now() > deadline)
      throw new Error(`still ${answer.status} ${answer.text} after ${withinMs} ms`)
    await sleep(20)
  }
}

const countOf = async (name: string) => {
  const rows = await platform.sql`
    select 1 from wallets w join identities i on i.id = w.user_identity_id
    where i.organization_id = ${organization.id} and i.provider_user_id = ${name}`
  return rows.length
}

const breakKeyFile: [string, () => void][] = [
  ['is gone', () => {}],
  ['is not a key file any more', () => writeFileSync(platform.files.kms, '{"format":', { mode: 0o600 })],
]
test.each(breakKeyFile)(
  'while the key file %s nothing is made, and it goes on when it is back',
  async (_, spoil) => {
    const name = randomUUID()
    const aside = `${platform.files.kms}.aside`
    renameSync(platform.files.kms, aside)
    spoil()
    try {
      expectUnavailable(await Promise.all([create(name), create(name)]))
      await expectDegraded('kms')
    } finally {
      renameSync(aside, platform.files.kms)
    }
    expect(await countOf(name)).toBe(0)
    await eventually(() => create(name), 201)
    expect((await api.call('/v1/ready')).status).toBe(200)
  },
)

const stopEnclave: [string, () => Promise<void> | void, () => Promise<void> | void][] = [
  ['is stopped', () => platform.enclave.stop(), () => platform.enclave.start()],
  [
    'hangs',
    () => void process.kill(platform.enclave.pid(), 'SIGSTOP'),
    () => void process.kill(platform.enclave.pid(), 'SIGCONT'),
  ],
]
test.each(stopEnclave)(
  'while the enclave %s nothing is signed or made, and it goes on when it is back',
  async (_, stop, start) => {
    const name = randomUUID()
    const before = await signedEvents()
    const linesBefore = linesOf('enclave').length
    await stop()
    try {
      expectUnavailable(await Promise.all([sign(), sign(), create(name)]))
      await expectDegraded('enclave')
    } finally {
      await start()
    }
    await eventually(() => sign(), 200)
    expect(await signedEvents()).toBe(before + 1)
    expect(await countOf(name)).toBe(0)
    await eventually(() => create(name), 201)
    expect((await api.call('/v1/ready')).status).toBe(200)
    await expect.poll(() => linesOf('enclave').slice(linesBefore)).toEqual(['component_down', 'component_up'])
  },
)

/** The lines that an outage of a component has left in the log so far. */
const linesOf = (component: string) =>
  platform
    .logs()
    .split('\n')
    .filter((line) => line.includes(`"component":"${component}"`))
    .map((line) => /"event":"(component_(?:up|down))"/.exec(line)?.[1])

async function signedEvents(): Promise<number> {
  const [row] = await platform.sql`
    select count(*)::integer as n from audit_events where organization_id = ${organization.id} and type = 15 and success`
  return Number(row?.['n'])
}

const stopDatabase: [string, () => Promise<void> | void][] = [
  ['refuses connections', () => databaseWire.cut()],
  ['does not answer any more', () => databaseWire.freeze()],
]
test.each(stopDatabase)(
  'while the database %s every route says so soon, and it goes on when it is back',
  async (_, stop) => {
    const email = newEmail()
    const name = randomUUID()
    const linesBefore = linesOf('database').length
    await startLogin(api, organization, email)
    const code = await mailedCode(platform, email)
    const before = await signedEvents()
    const all = () =>
      Promise.all([
        sign(),
        create(name),
        createMyWallet(api, organization, user, 'ed25519'),
        identify(api, organization, user.token),
        startLogin(api, organization, newEmail()),
        verifyLogin(api, organization, email, code),
        api.call('/v1/s2s/wallets', { headers: secret(nextKey().key) }),
        api.call(`/v1/s2s/wallets/${walletId}/archive`, { method: 'POST', headers: secret(nextKey().key) }),
        api.call('/v1/wallets/me/all', { headers: asUser(organization, user.token) }),
        api.call('/v1/s2s/wallets', {
          method: 'POST',
          headers: { ...secret(nextKey().key), 'idempotency-key': name },
          body: { provider_user_id: name },
        }),
      ])
    await stop()
    try {
      const [answers] = await Promise.all([all(), expectDegraded('database')])
      expectUnavailable(answers)
      // Again: what hung the first time must not have used up what answers the second time.
      const preflight = () =>
        api.call('/v1/wallets/me', { method: 'OPTIONS', headers: { origin: 'https://a.example' } })
      const [again, { ms }] = await Promise.all([all(), preflight()])
      expectUnavailable(again)
      expect(ms).toBeLessThan(answersWithinMs)
    } finally {
      await databaseWire.mend()
    }
    await eventually(() => sign(), 200, 10_000)
    expect(await signedEvents()).toBe(before + 1)
    expect(await countOf(name)).toBe(0)
    await eventually(() => create(name), 201)
    await eventually(() => verifyLogin(api, organization, email, code), 200, 10_000)
    expect((await api.call('/v1/ready')).status).toBe(200)
    await expect
      .poll(() => linesOf('database').slice(linesBefore))
      .toEqual(['component_down', 'component_up'])
    const all200 = await Promise.all(Array.from({ length: 20 }, () => sign()))
    expect(new Set(all200.map(({ status, text }) => (status === 200 ? 200 : text)))).toEqual(new Set([200]))
  },
)

test('a wallet that was archived while its answer got lost is archived, or not, but never half', async () => {
  const { data } = await create(randomUUID())
  const id = String(data['id'])
  for (let round = 0; round < 6; round++) {
    const verb = round % 2 === 0 ? 'archive' : 'unarchive'
    const asked = api.call(`/v1/s2s/wallets/${id}/${verb}`, {
      method: 'POST',
      headers: secret(nextKey().key),
    })
    // Each round a little later in the request.
    await sleep(round)
    await databaseWire.cut()
    const { status } = await asked
    await databaseWire.mend()
    expect([204, 503]).toContain(status)
    await eventually(() => api.call('/v1/ready'), 200)
    const [row] = await platform.sql<
      { status: string; is_archived: boolean; archived: number; unarchived: number }[]
    >`
      select w.status, w.archived_at is not null as is_archived,
        (select count(*)::integer from audit_events a where a.wallet_id = w.id and a.type = 13) as archived,
        (select count(*)::integer from audit_events a where a.wallet_id = w.id and a.type = 14) as unarchived
      from wallets w where w.id = ${id}`
    if (row === undefined) throw new Error('The wallet is gone.')
    expect(row.is_archived).toBe(row.status === 'archived')
    expect(row.archived - row.unarchived).toBe(row.status === 'archived' ? 1 : 0)
    if (status === 204) expect(row.status).toBe(verb === 'archive' ? 'archived' : 'active')
  }
})

test('a login email waits for its server and arrives when that is back', async () => {
  const email = newEmail()
  await mailWire.cut()
  const { status, ms } = await startLogin(api, organization, email)
  expect([status, ms < 3_500]).toEqual([204, true])
  // Tried, and put back: due before its lease would have ended.
  const putBack = () => platform.sql`
    select 1 from outbox where attempts > 0 and next_attempt_at < app_now() + interval '20 seconds'`
  await expect.poll(putBack).toHaveLength(1)
  await mailWire.mend()
  const code = await mailedCode(platform, email, 15_000)
  expect((await verifyLogin(api, organization, email, code)).status).toBe(200)
})
