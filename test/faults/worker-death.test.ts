import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import {
  childrenOf,
  createOrganization,
  type PlatformProcesses,
  secret,
  startPlatformProcesses,
} from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'

const workers = 2
let database: TestDatabase
let platform: PlatformProcesses
let secretKey: string

beforeAll(async () => {
  database = await testDatabase()
  platform = await startPlatformProcesses({
    databaseUrl: database.url,
    apiCount: 1,
    environment: { WORKERS: String(workers) },
  })
  secretKey = (await createOrganization(api())).secret_key
}, 60_000)

afterAll(async () => {
  await platform?.stop()
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
