import {
  queueRuns,
  seedOrganization,
  type TestDatabase,
  testDatabase,
  testLog,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Sql } from '../../../db/pool.ts'
import { workOnRun } from './run-engine.ts'
import { runJournalStore } from './run-journal.store.ts'
import type { RunWorkCtx } from './run-work.ts'
import type { Runner } from './runner.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** A queued run of an agent of an organization of its own; returns the run's id. */
async function queueRun(): Promise<string> {
  const { sql } = database
  const organizationId = (await seedOrganization(sql)).id
  await queueRuns(sql, organizationId, { count: 1 })
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into agents (id, organization_id, wallet_id, name, description, runner, objective_template, policy, skills, session_id)
      select agent_id, organization_id, id, 'Payer', '', 'test', '{{objective}}', '{}', '[]', session_id
      from agent_runs where organization_id = ${organizationId}`
  })
  const rows = await sql<
    { id: string }[]
  >`select id from agent_runs where organization_id = ${organizationId}`
  return rows[0]?.id ?? ''
}

async function stateOf(id: string) {
  const rows = await database.sql`select state, error, retries from agent_runs where id = ${id}`
  return rows[0]
}

/** Works on the only queued run, however long it should wait, until it has ended or `triesMax` is reached; returns the tries. */
async function tryOften(ctx: RunWorkCtx, triesMax: number): Promise<number> {
  const { sql } = database
  for (let tries = 0; tries < triesMax; tries++) {
    await sql`update agent_runs set due_at = app_now() where ended_at is null`
    const [run] = await runJournalStore.claim(sql, { free: 8, held: [] }, 15_000)
    if (run === undefined) return tries
    await workOnRun(ctx, run, new AbortController().signal)
  }
  return triesMax
}

const contextOf = (sql: Sql, runner: Runner, log = testLog()): RunWorkCtx => ({
  ...({} as RunWorkCtx),
  sql,
  log,
  runners: new Map([['test', runner]]),
})

test('a step that the database refuses again and again ends its run after seven tries, each in the log', async () => {
  const { sql } = database
  const id = await queueRun()
  const log = testLog()
  // What a statement that takes too long rejects with, from the database itself.
  const slow: Runner = () =>
    sql.begin(async (tx) => {
      await tx`set local statement_timeout = 5`
      await tx`select pg_sleep(60)`
      return { calls: [] }
    })
  expect(await tryOften(contextOf(sql, slow, log), 20)).toBe(7)
  expect(await stateOf(id)).toMatchObject({ state: 'failed', error: 'internal' })
  expect(log.lines.filter((line) => line.startsWith('a step of a run failed '))).toHaveLength(7)
})

test('a database that is away costs a run none of its tries', async () => {
  const id = await queueRun()
  const away = openPool(database.url, { connectionsMax: 1 })
  await away.end()
  const log = testLog()
  expect(
    await tryOften(
      contextOf(away, async () => ({ calls: [] }), log),
      9,
    ),
  ).toBe(9)
  expect(await stateOf(id)).toMatchObject({ state: 'running', error: null, retries: 0 })
})
