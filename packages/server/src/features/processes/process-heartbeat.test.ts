import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { testIds as ids, type TestDatabase, testDatabase, testLog } from '@symbolon/testing/database'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { processTableOs } from '../../adapters/process-table-os.ts'
import type { Sql } from '../../db/pool.ts'
import { type Beat, type BeatTurns, processHeartbeat } from './process-heartbeat.ts'
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

type Options = Partial<Parameters<typeof processHeartbeat>[0]>

function beating({ processId = ids.next(), ...more }: Options = {}) {
  const heartbeat = processHeartbeat({
    sql,
    log: testLog(),
    table,
    processId,
    wake() {},
    ...more,
  })
  started.push(heartbeat)
  heartbeat.start()
  return heartbeat
}

const beat = (id: string, of: typeof table, siblings: readonly string[] = []) =>
  processesStore.beat(sql, { id, table: of, gone: [], silenceMs: 2_500, siblings })

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
    await beat(dead, of)
    const message = await held(dead)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const killedAt = performance.now()
    if (!isOlder) beating()
    await expect.poll(() => isDue(message), { interval: 20 }).toBe(true)
    expect(performance.now() - killedAt).toBeLessThan(2_000)
  }
})

test('what a host held that died is due within 5 s; what a living process holds, and after the database was away, is not', async () => {
  const own = beating()
  const far = { ...table, host: 'another host' }
  const [dead, living] = [ids.next(), ids.next()]
  await beat(dead, far)
  // As if nobody had been heard for a while: the database was away, and the first to come back must not judge the others.
  await sql`update processes set seen_at = clock_timestamp() - interval '1 minute', steady_since = clock_timestamp() - interval '1 hour'`
  const messages = await Promise.all([held(dead), held(living), held(own.processId)])
  const diedAt = performance.now()
  const kept = setInterval(() => {
    void beat(living, { ...far, pid: 2 })
  }, 500)
  try {
    await beat(living, { ...far, pid: 2 })
    expect(await isDue(messages[0])).toBe(false)
    await expect.poll(() => isDue(messages[0]), { interval: 50 }).toBe(true)
    expect(performance.now() - diedAt).toBeLessThan(5_000)
    expect([await isDue(messages[1]), await isDue(messages[2])]).toEqual([false, false])
  } finally {
    clearInterval(kept)
  }
})

test('what a process holds that hangs and is not dead is due when its lease ends, not before and not later', async () => {
  const { child, of } = neighbour()
  const hung = ids.next()
  try {
    await beat(hung, of)
    child.kill('SIGSTOP')
    // Silent for longer than a host that counts as dead.
    await sql`update processes set seen_at = clock_timestamp() - interval '1 minute' where id = ${hung}`
    await sql`delete from outbox`
    const message = await held(hung)
    await sql`update outbox set next_attempt_at = app_now() + interval '3 seconds' where id = ${message}`
    const { sql: own, count } = counted()
    beating({ sql: own })
    await expect.poll(count, { timeout: 2_500, interval: 20 }).toBeGreaterThanOrEqual(2)
    expect((await beat(ids.next(), table)).due).toEqual([])
    const workers: string[] = []
    beating({ wake: (names = []) => void workers.push(...names) })
    await expect.poll(() => workers, { interval: 20 }).toContain('outbox')
    expect(await sql`select held_by from outbox where id = ${message}`).toEqual([{ held_by: hung }])
  } finally {
    child.kill('SIGKILL')
    await sql`delete from outbox`
  }
})

/** The turns of a leader and a follower; `isLost` keeps the leader's beats from the follower. */
function twoTurns(follower: string) {
  const heard: ((beat: Beat) => void)[] = []
  const state = { isLost: false, announced: 0 }
  const leading: BeatTurns = {
    siblings: () => [follower],
    announce(beat) {
      state.announced += 1
      if (!state.isLost) for (const hear of heard) hear(beat)
    },
    listen() {},
  }
  const following: BeatTurns = {
    siblings: () => undefined,
    announce() {},
    listen: (onBeat) => void heard.push(onBeat),
  }
  return { leading, following, state }
}

/** The same database, and how many statements went to it this way. */
function counted(): { sql: Sql; count: () => number } {
  let count = 0
  const counting = new Proxy(sql, {
    apply(target, self, args) {
      count += 1
      return Reflect.apply(target, self, args)
    },
  })
  return { sql: counting, count: () => count }
}

const seenAt = async (id: string) =>
  (await sql<{ at: Date }[]>`select seen_at as at from processes where id = ${id}`)[0]?.at.getTime() ?? 0

test('one process of a cluster beats for all, and another beats by itself once it hears nothing more', async () => {
  const id = ids.next()
  const { leading, following, state } = twoTurns(id)
  const { sql: own, count } = counted()
  await beat(id, table)
  beating({ turns: leading })
  await expect.poll(() => state.announced, { timeout: 3_000, interval: 20 }).toBeGreaterThan(0)
  beating({ processId: id, turns: following, sql: own })
  const [statements, announced, firstSeen] = [count(), state.announced, await seenAt(id)]
  await expect.poll(() => state.announced, { interval: 20 }).toBe(announced + 2)
  expect(await seenAt(id)).toBeGreaterThan(firstSeen + 500)
  expect(count() - statements).toBeLessThanOrEqual(1)
  state.isLost = true
  const quietSince = count()
  await expect.poll(() => count(), { timeout: 3_000, interval: 20 }).toBeGreaterThan(quietSince)
})

test('a beat names the workers that have something to do, and only those', async () => {
  await sql`delete from outbox`
  const id = ids.next()
  expect((await beat(id, table)).due).toEqual([])
  const row = await held(id)
  expect((await beat(id, table)).due).toEqual([])
  await sql`update outbox set next_attempt_at = app_now() where id = ${row}`
  expect((await beat(id, table)).due).toEqual(['outbox'])
  const named: string[] = []
  beating({ wake: (names = []) => void named.push(...names) })
  await expect.poll(() => named, { timeout: 2_000, interval: 20 }).toContain('outbox')
  await sql`delete from outbox`
})
