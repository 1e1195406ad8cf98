import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@symbolon/dev/testing/postgres'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import {
  childrenOf,
  createOrganization,
  type FaultyWire,
  faultyWire,
  mailedCode,
  newEmail,
  type Organization,
  type PlatformProcesses,
  publishable,
  secret,
  startLogin,
  startPlatformProcesses,
} from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'

const workers = 2
let database: TestDatabase
let platform: PlatformProcesses
let organization: Organization
let secretKey: string
let mailWire: FaultyWire

beforeAll(async () => {
  database = await testDatabase()
  const mailPort = await freePort()
  mailWire = await faultyWire(mailPort)
  platform = await startPlatformProcesses({
    databaseUrl: database.url,
    apiCount: 1,
    mailPorts: { reached: mailWire.port, listens: mailPort },
    environment: { WORKERS: String(workers) },
  })
  organization = await createOrganization(api())
  secretKey = organization.secret_key
}, 60_000)

afterAll(async () => {
  await platform?.stop()
  await mailWire?.close()
  await database?.drop()
})

function api() {
  const [first] = platform.apis
  if (first === undefined) throw new Error('no API process')
  return first
}

/** All workers, once as many serve as should. */
async function servingWorkers(): Promise<number[]> {
  for (let i = 0; i < 1_000; i++) {
    const pids = childrenOf(api().supervisorPid())
    // One that has answered something is listening.
    await Promise.all(Array.from({ length: workers * 4 }, () => ask(6_000)))
    const text = await fetch(api().metricsUrl).then(
      (answer) => answer.text(),
      () => '',
    )
    const serving = new Set(text.match(/(?<=worker=")\d+(?=",route=)/g))
    if (pids.length === workers && serving.size === workers) return pids
    await sleep(20)
  }
  throw new Error('The workers did not come back.')
}

/** What a fresh connection gets for a request: its answer, or `closed`; rejects when it is left open without one. */
function ask(withinMs: number): Promise<string> {
  const { hostname, port } = new URL(api().url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`a connection is open without an answer after ${withinMs} ms`))
    }, withinMs)
    socket
      .on('connect', () => socket.write('GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n'))
      .on('data', (data) => {
        resolve(data.toString('latin1').split('\r\n')[0] ?? '')
        socket.destroy()
      })
      .on('error', () => {})
      .on('close', () => {
        clearTimeout(timer)
        resolve('closed')
      })
  })
}

test('the death of a worker leaves no connection open: each is answered or closed', async () => {
  const pids = await servingWorkers()
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  // All stand still: what comes now waits for a worker, and may have been given to the one that dies. Nothing shows that it has come.
  const asked = Array.from({ length: 8 }, () => ask(6_000))
  await sleep(200)
  process.kill(pids[0] ?? 0, 'SIGKILL')
  for (const pid of pids.slice(1)) process.kill(pid, 'SIGCONT')
  const answers = await Promise.all(asked)
  expect(answers.filter((answer) => answer === 'HTTP/1.1 200 OK').length).toBeGreaterThan(0)
  expect(answers.filter((answer) => answer !== 'HTTP/1.1 200 OK' && answer !== 'closed')).toEqual([])
  await servingWorkers()
  const lines = platform
    .logs()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  expect(lines.filter(({ event }) => event === 'worker_died')).toMatchObject([
    { worker: { pid: pids[0], signal: 'SIGKILL' } },
  ])
  for (const line of lines)
    expect(line).toMatchObject({
      level: expect.any(Number),
      time: expect.any(Number),
      component: expect.any(String),
      event: expect.any(String),
    })
}, 30_000)

test('a killed worker’s requests run again under the same idempotency key, within seconds', async () => {
  await servingWorkers()
  const key = randomUUID()
  const create = () =>
    api().call('/v1/s2s/wallets', {
      method: 'POST',
      headers: { ...secret(secretKey), 'idempotency-key': key },
      body: { provider_user_id: 'killed' },
    })
  // The request holds its key and stands still before it has made anything.
  const { first, isRunning } = await platform.sql.begin(async (sql) => {
    await sql`lock table wallets in access exclusive mode`
    const failed = create().then(
      ({ status }) => status,
      () => 'lost',
    )
    const running = async () =>
      (await platform.sql`select 1 from idempotency_keys where key = ${key} and state = 'running'`).length > 0
    for (let i = 0; i < 200 && !(await running()); i++) await sleep(10)
    const wasRunning = await running()
    expect((await create()).code).toBe('idempotency_key_in_flight')
    for (const pid of childrenOf(api().supervisorPid())) process.kill(pid, 'SIGKILL')
    return { first: await failed, isRunning: wasRunning }
  })
  expect({ first, isRunning }).toEqual({ first: 'lost', isRunning: true })
  await servingWorkers()
  let again = await create()
  for (let i = 0; i < 200 && again.code === 'idempotency_key_in_flight'; i++) {
    await sleep(50)
    again = await create()
  }
  expect(again.status, again.text).toBeLessThan(300)
  expect((await create()).text).toBe(again.text)
  expect((await platform.sql`select 1 from wallets`).length).toBe(1)
}, 60_000)

const lock = 4_712

/** Ends the process that runs the request of a key, right before it keeps the answer; all else of it is committed. */
async function killBeforeAnswer(key: string, request: () => Promise<{ text: string }>): Promise<void> {
  const { sql } = platform
  await sql.unsafe(`
    create or replace function wait_to_answer() returns trigger language plpgsql as $$ begin
      if new.state = 'answered' and new.key = '${key}' then perform pg_advisory_xact_lock(${lock}); end if;
      return new;
    end $$;
    create or replace trigger gate before update on idempotency_keys for each row execute function wait_to_answer();`)
  const gate = await sql.reserve()
  try {
    await gate`select pg_advisory_lock(${lock})`
    const lost = request().then(
      ({ text }) => text,
      () => 'lost',
    )
    const waiting = async () =>
      (await sql`select 1 from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`)
        .length > 0
    for (let i = 0; i < 500 && !(await waiting()); i++) await sleep(10)
    expect(await waiting()).toBe(true)
    const [owner] = await sql<{ pid: number }[]>`
      select p.pid from idempotency_keys k join processes p on p.id = k.process_id where k.key = ${key}`
    if (owner === undefined) throw new Error('Nobody runs the request.')
    process.kill(owner.pid, 'SIGKILL')
    expect(await lost).toBe('lost')
    await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`
  } finally {
    gate.release()
  }
}

test('what a killed worker had done is never done again: its key is spent within 2 s, with an audit event and without', async () => {
  const email = newEmail()
  const cases = [
    ['/v1/s2s/wallets', secret(secretKey), { provider_user_id: 'done' }],
    ['/v1/wallets/auth/email-otp/start', publishable(organization), { email }],
  ] as const
  for (const [path, credentials, body] of cases) {
    await servingWorkers()
    const key = randomUUID()
    const headers = { ...credentials, 'idempotency-key': key }
    const request = () => api().call(path, { method: 'POST', headers, body })
    await killBeforeAnswer(key, request)
    const killedAt = performance.now()
    let again = await request()
    while (again.code === 'idempotency_key_in_flight') {
      await sleep(20)
      again = await request()
    }
    expect([path, again.status, again.code]).toEqual([path, 409, 'idempotency_key_spent'])
    expect(performance.now() - killedAt, path).toBeLessThan(2_000)
  }
  const [counts] = await platform.sql`
    select (select count(*)::int from identities where provider_user_id = 'done') as users,
      (select cardinality(issued_at) from login_mailboxes where mailbox = ${email}) as codes`
  expect(counts).toEqual({ users: 1, codes: 1 })
}, 60_000)

test('an email that a killed worker was sending leaves within 2 s of the next worker', async () => {
  const { sql } = platform
  await servingWorkers()
  mailWire.freeze()
  const email = newEmail()
  await startLogin(api(), organization, email)
  const held = async () => (await sql`select 1 from outbox where held_by is not null`).length > 0
  for (let i = 0; i < 500 && !(await held()); i++) await sleep(10)
  expect(await held()).toBe(true)
  const former = (await sql<{ id: string }[]>`select id from processes`).map(({ id }) => id)
  for (const pid of childrenOf(api().supervisorPid())) process.kill(pid, 'SIGKILL')
  await mailWire.mend()
  const isBack = async () =>
    (await sql`select 1 from processes where id <> all(${former}::uuid[])`).length > 0
  for (let i = 0; i < 2_000 && !(await isBack()); i++) await sleep(10)
  const backAt = performance.now()
  expect(await mailedCode(platform, email)).toMatch(/^\d{6}$/)
  expect(performance.now() - backAt).toBeLessThan(2_000)
}, 60_000)
