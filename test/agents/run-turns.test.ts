import { randomUUID } from 'node:crypto'
import type { Transaction } from '@symbolon/server/pool'
import { type Run, runJournalStore } from '@symbolon/server/testing/agents'
import { queueRuns, seedOrganization, type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const leaseMs = 60_000
const claim = (free: number, held: readonly Pick<Run, 'id'>[] = []) =>
  runJournalStore.claim(database.sql, { free, held: held.map(({ id }) => id) }, leaseMs)

const queue = (organizationId: string, count: number, dueSeconds = 60) =>
  queueRuns(database.sql, organizationId, { count, dueSeconds })
const organization = async (): Promise<string> => (await seedOrganization(database.sql)).id
const clear = () =>
  database.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`delete from agent_runs`
    await tx`delete from agent_turns`
  })
const shares = (runs: readonly Run[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { organizationId } of runs) counts[organizationId] = (counts[organizationId] ?? 0) + 1
  return counts
}

test('one organization alone gets half of the slots, and no more while it holds them', async () => {
  await clear()
  const [hog, other] = [await organization(), await organization()]
  await queue(hog, 300)
  const held = await claim(32)
  expect(shares(held)).toEqual({ [hog]: 16 })
  expect(await claim(16, held)).toEqual([])
  await queue(other, 1, 1)
  expect(shares(await claim(16, held))).toEqual({ [other]: 1 })
  // One of its runs has ended: another one of them comes next.
  expect(shares(await claim(17, held.slice(1)))).toEqual({ [hog]: 1 })
})

test('those who come together get the same, and what is left is for the next', async () => {
  await clear()
  const many = [await organization(), await organization(), await organization()]
  for (const one of many) await queue(one, 100)
  const held = await claim(32)
  expect(Object.values(shares(held))).toEqual([8, 8, 8])
  const late = await organization()
  await queue(late, 50, 1)
  expect(shares(await claim(8, held))).toEqual({ [late]: 4 })
})

test('each of more organizations than there are slots has its turn before any has its second', async () => {
  await clear()
  const all = await Promise.all(Array.from({ length: 12 }, organization))
  // What is older by far does not go before who has waited for a turn longer.
  for (const [i, one] of all.entries()) await queue(one, 20, 600 - i)
  const seen: string[] = []
  // One slot of a single worker, free again after each run.
  for (let i = 0; i < 36; i++) seen.push((await claim(1))[0]?.organizationId ?? '')
  for (let round = 0; round < 3; round++)
    expect(new Set(seen.slice(round * 12, round * 12 + 12)).size).toBe(12)
  const [newcomer] = [await organization()]
  await queue(newcomer, 1, 1)
  expect((await claim(1))[0]?.organizationId).toBe(newcomer)
})

test('an organization gets its oldest runs, and those whose lease has ended', async () => {
  await clear()
  const one = await organization()
  await queue(one, 3)
  const [first] = await claim(2)
  const oldest = await database.sql`select id from agent_runs order by attempt desc, due_at limit 1`
  expect(first?.id).toBe(oldest[0]?.['id'])
  await database.sql`update agent_runs set due_at = app_now() - interval '1 hour' where id = ${first?.id ?? ''}`
  expect(await claim(1)).toMatchObject([{ id: first?.id, attempt: (first?.attempt ?? 0) + 1 }])
})

test('many workers at once take every run once', async () => {
  await clear()
  const all = await Promise.all(Array.from({ length: 5 }, organization))
  for (const one of all) await queue(one, 40)
  const taken: Run[] = []
  for (let i = 0; i < 40 && taken.length < 200; i++)
    taken.push(...(await Promise.all([claim(32), claim(32), claim(32), claim(32)])).flat())
  expect(taken.length).toBe(200)
  expect(new Set(taken.map(({ id }) => id)).size).toBe(200)
})

test('however many runs there are, a claim reads those that it takes and one look for each organization', async () => {
  await clear()
  const { sql } = database
  const all = await Promise.all(Array.from({ length: 50 }, organization))
  for (const one of all) await queue(one, 400)
  // Ended ones, and those that wait for something else, are not even looked at.
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into agent_runs (id, organization_id, agent_id, session_id, root_id, source, caller, objective, input, state, ended_at)
      select gen_random_uuid(), r.organization_id, r.agent_id, r.session_id, r.root_id, 'portal', 'portal', '', '{}', 'completed', app_now()
      from agent_runs r`
  })
  await sql`analyze agent_runs`
  const counted = async (on: typeof sql | Transaction) =>
    (
      await on<{ scans: number; rows: number }[]>`
        select seq_scan::integer as scans, (seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_xact_user_tables
        where relname = 'agent_runs'`
    )[0] ?? { scans: 0, rows: 0 }
  for (const held of [[], [randomUUID()]]) {
    await sql.begin(async (tx) => {
      const before = await counted(tx)
      expect((await runJournalStore.claim(tx, { free: 32, held }, leaseMs)).length).toBe(32)
      const after = await counted(tx)
      expect(after.scans - before.scans).toBe(0)
      expect(after.rows - before.rows).toBeLessThan(50 * 4 + 32 * 4)
    })
  }
})
