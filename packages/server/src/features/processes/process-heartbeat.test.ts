import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { testIds as ids, type TestDatabase, testDatabase, testLog } from '@symbolon/testing/database'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { processTableOs } from '../../adapters/process-table-os.ts'
import type { Sql } from '../../db/pool.ts'
import { processHeartbeat } from './process-heartbeat.ts'
import { processesStore } from './processes.store.ts'

let database: TestDatabase
let sql: Sql
const started: { stop(): Promise<void> }[] = []
beforeAll(async () => {
  database = await testDatabase()
  sql = database.sql
})
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop()
})
afterAll(() => database?.drop())

const table = processTableOs()

function beating(processId = ids.next()) {
  const heartbeat = processHeartbeat({ sql, log: testLog(), table, processId, onFreed() {} })
  started.push(heartbeat)
  heartbeat.start()
  return heartbeat
}

/** A message that a process has claimed for half a minute. */
async function held(by: string): Promise<string> {
  const id = ids.next()
  await sql`insert into outbox (id, kind, sealed_payload, attempts, next_attempt_at, held_by)
    values (${id}, 'mail', '\\x00', 1, app_now() + interval '30 seconds', ${by})`
  return id
}

const isDue = async (id: string) =>
  (await sql`select 1 from outbox where id = ${id} and next_attempt_at <= app_now() and held_by is null`)
    .length === 1

/** A process of this host, with its place in the process table. */
function neighbour(): { child: ChildProcess; of: typeof table } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  const pid = child.pid ?? 0
  return { child, of: processTableOs(pid) }
}

test('what a killed process held is due within 2 s on its host, be the process that looks older or new', async () => {
  for (const isOlder of [true, false]) {
    const { child, of } = neighbour()
    const dead = ids.next()
    if (isOlder) beating()
    await processesStore.beat(sql, { id: dead, table: of, gone: [], silenceMs: 2_500 })
    const message = await held(dead)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const killedAt = performance.now()
    if (!isOlder) beating()
    await expect.poll(() => isDue(message), { timeout: 5_000, interval: 20 }).toBe(true)
    expect(performance.now() - killedAt).toBeLessThan(2_000)
  }
}, 20_000)

test('what a host held that died is due within 5 s; what a living process holds, and after the database was away, is not', async () => {
  const own = beating()
  const far = { ...table, host: 'another host' }
  const [dead, living] = [ids.next(), ids.next()]
  await processesStore.beat(sql, { id: dead, table: far, gone: [], silenceMs: 2_500 })
  // As if nobody had been heard for a while: the database was away, and the first to come back must not judge the others.
  await sql`update processes set seen_at = clock_timestamp() - interval '1 minute', steady_since = clock_timestamp() - interval '1 hour'`
  const messages = await Promise.all([held(dead), held(living), held(own.processId)])
  const diedAt = performance.now()
  const kept = setInterval(() => {
    void processesStore.beat(sql, { id: living, table: { ...far, pid: 2 }, gone: [], silenceMs: 2_500 })
  }, 500)
  try {
    await processesStore.beat(sql, { id: living, table: { ...far, pid: 2 }, gone: [], silenceMs: 2_500 })
    expect(await isDue(messages[0])).toBe(false)
    await expect.poll(() => isDue(messages[0]), { timeout: 8_000, interval: 50 }).toBe(true)
    expect(performance.now() - diedAt).toBeLessThan(5_000)
    expect([await isDue(messages[1]), await isDue(messages[2])]).toEqual([false, false])
  } finally {
    clearInterval(kept)
  }
}, 20_000)
