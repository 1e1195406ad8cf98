import { randomUUID } from 'node:crypto'
import { agentRunsStore, runJournalStore } from '@symbolon/server/testing/agents'
import { makeAgent, type RunOwner, runReaches, startRun } from '@symbolon/testing/agents'
import { makeTenant, makeWalletFor, newMember, startTestApp, type TestApp } from '@symbolon/testing/app'
import { advanceClock } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let owner: RunOwner
let agentId: string

beforeAll(async () => {
  app = await startTestApp()
  const tenant = await makeTenant(app)
  owner = { member: await newMember(app, tenant.id, 'owner'), organizationId: tenant.id }
  const walletId = (await makeWalletFor(app, tenant)).id
  agentId = (await makeAgent(app, { ...owner, walletId }, { runner: 'scripted' })).id
})
afterAll(() => app?.stop())

const leaseMs = 15_000
const slots = { free: 8, held: [] }
const step = { kind: 'tool', tool: 'get_policy', input: {}, output: null } as const

/** A run that the service works on, and its lease taken over after its end. */
async function takenOver() {
  const run = await startRun(app, owner, agentId, 'sleep 60000')
  await runReaches(app, owner, run, ['running'])
  expect(await runJournalStore.claim(app.sql, slots, leaseMs)).toEqual([])
  await advanceClock(app.sql, leaseMs + 1)
  const [mine] = await runJournalStore.claim(app.sql, slots, leaseMs)
  if (mine?.id !== run.id) throw new Error('The lease has not ended.')
  return { mine, stale: { ...mine, attempt: mine.attempt - 1 } }
}

test('a process that has lost the lease writes nothing, ends nothing, delegates nothing and keeps nothing', async () => {
  const { mine, stale } = await takenOver()
  const child = { id: randomUUID(), agentId, callerKey: null, objective: 'x', input: {}, metadata: {} }
  const ending = { state: 'completed', result: null, error: null } as const
  expect(await runJournalStore.write(app.sql, stale, { ...step, seq: 1 }, leaseMs)).toBe(false)
  expect(await runJournalStore.ask(app.sql, stale, 1, 'Who?')).toBe(false)
  expect(await runJournalStore.end(app.sql, stale, ending)).toBe(false)
  expect(await runJournalStore.keep(app.sql, [stale], leaseMs)).toEqual([])
  const delegated = { ...child, parentRunId: stale.id, held: stale.attempt }
  expect(await agentRunsStore.delegate(app.sql, delegated)).toBe('lost')
  await runJournalStore.postpone(app.sql, stale, 0)
  expect(await agentRunsStore.journal(app.sql, mine.id)).toEqual([])

  expect(await runJournalStore.write(app.sql, mine, { ...step, seq: 1 }, leaseMs)).toBe(true)
  expect(await runJournalStore.write(app.sql, mine, { ...step, seq: 1 }, leaseMs)).toBe(false)
  expect(await runJournalStore.write(app.sql, mine, { ...step, seq: 3 }, leaseMs)).toBe(false)
  expect(await runJournalStore.end(app.sql, mine, ending)).toBe(true)
  expect(await runJournalStore.end(app.sql, mine, ending)).toBe(false)
  expect(await agentRunsStore.answer(app.sql, mine.id, { text: 'late' })).toBe(false)
})

test('a run that has ended keeps nothing of the token that started it', async () => {
  const { mine } = await takenOver()
  await app.sql`update agent_runs set token_key_sealed = '\\x00' where id = ${mine.id}`
  await agentRunsStore.cancel(app.sql, mine.id)
  const rows = await app.sql`select token_key_sealed, state from agent_runs where id = ${mine.id}`
  expect(rows).toMatchObject([{ token_key_sealed: null, state: 'canceled' }])
})

test('a process that stops gives its runs to the others at once', async () => {
  const second = await startTestApp({ installation: app })
  const waiting = Array.from({ length: 12 }, () => startRun(app, owner, agentId, 'sleep 1500\nsay done'))
  const runs = await Promise.all(waiting)
  await Promise.all(runs.map((run) => runReaches(app, owner, run, ['running'])))
  await second.stop()
  for (const run of runs)
    expect(await runReaches(app, owner, run, undefined, 8_000)).toMatchObject({ state: 'completed' })
})
