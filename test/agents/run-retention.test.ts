import { createHmac, randomUUID } from 'node:crypto'
import type { AgentHook, AgentRun } from '@symbolon/api'
import { deleteExpired } from '@symbolon/server/testing/organizations'
import { signedHeaders } from '@symbolon/server/testing/webhooks'
import {
  type A2aFixture,
  a2aFixture,
  makeAgent,
  type RunOwner,
  runReaches,
  startRun,
} from '@symbolon/testing/agents'
import { callAs, portalUser } from '@symbolon/testing/app'
import { advanceClock, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'

type MintedHook = AgentHook & { secret: string }

let fixture: A2aFixture
let owner: RunOwner

/** Logs the owner in again: sessions do not last as long as runs are kept. */
async function renew(): Promise<void> {
  owner = { ...owner, member: await portalUser(fixture.app, fixture.owner.email) }
}

beforeAll(async () => {
  fixture = await a2aFixture()
  owner = { member: fixture.owner, organizationId: fixture.tenant.id }
})
afterAll(() => fixture?.app.stop())

const dayMs = 86_400_000
const sweep = async (runDays?: number): Promise<number> => {
  const { sql } = fixture.app
  return (await deleteExpired(sql, runDays === undefined ? {} : { runDays })).agent_runs
}
const said = (text: string) => ({
  message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] },
})
const v10 = { headers: { 'a2a-version': '1.0' } }

const newHelper = () =>
  makeAgent(fixture.app, { ...owner, walletId: fixture.walletId }, { runner: 'scripted' })

async function newHook(style: 'standard' | 'github'): Promise<MintedHook> {
  const path = `/v1/orgs/${fixture.tenant.id}/agents/${fixture.agent.id}/hooks`
  const body = { name: style, style, objective_template: 'say thanks' }
  const { data, status, text } = await callAs<MintedHook>(fixture.app, fixture.owner, ['POST', path, body])
  if (status !== 201) throw new Error(text)
  return data
}

function deliver(hook: MintedHook, headers: Record<string, string>) {
  return fixture.app.call<{ run_id: string }>('POST', new URL(hook.url).pathname, { body: '{}', headers })
}

const rowsOf = async (table: string, runIds: readonly string[]): Promise<number> => {
  const column = table === 'agent_runs' ? 'id' : 'run_id'
  const { sql } = fixture.app
  return (
    await sql`select 1 from ${sql.identifier(table)} where ${sql.identifier(column)} = any(${[...runIds]}::uuid[])`
  ).length
}

/** Runs that ended, of every source: the portal, a parent, A2A with a notification, and two hooks. */
async function endedRuns() {
  const { app, agent } = fixture
  const ended = (run: Pick<AgentRun, 'id' | 'agent_id'>) => runReaches(app, owner, run)
  const helper = await newHelper()
  const parent = await startRun(app, owner, agent.id, {
    tool: 'delegate',
    arguments: {
      agent_id: helper.id,
      objective: { tool: 'sign_message', arguments: { chain: 'local', message: 'hello' } },
    },
  })
  const { children } = await ended(parent)
  const sent = await fixture.rpc(
    'SendMessage',
    {
      ...said('say done'),
      configuration: { taskPushNotificationConfig: { url: 'http://127.0.0.1:9/told' } },
    },
    v10,
  )
  const task: string = sent.body.result.task.id
  const [standard, github] = [await newHook('standard'), await newHook('github')]
  const stamped = signedHeaders(
    { id: `msg_${randomUUID()}`, timeMs: Date.now(), body: Buffer.from('{}') },
    { secrets: [standard.secret], sign: () => new Uint8Array(64) },
  )
  const signature = createHmac('sha256', github.secret).update('{}').digest('hex')
  const unstamped = { 'x-hub-signature-256': `sha256=${signature}` }
  const delivered = [await deliver(standard, stamped), await deliver(github, unstamped)]
  const hookRuns = delivered.map(({ data }) => data.run_id)
  for (const id of hookRuns) await ended({ id, agent_id: agent.id })
  const all = [parent.id, ...children, task, ...hookRuns]
  return { parent, children, task, all, standard, github, stamped, unstamped, hookRuns }
}

const record = async (children: readonly string[]) => {
  const events = await fixture.app.sql`select id from agent_events where run_id = any(${children}::uuid[])`
  const audit = await fixture.app
    .sql`select id from audit_events where organization_id = ${fixture.tenant.id}`
  return { events: events.length, audit: audit.length }
}

test('a run goes 90 days after its end with all that was its own; what it signed stays on record', async () => {
  const { app, agent } = fixture
  const { parent, children, task, all, standard, github, stamped, unstamped, hookRuns } = await endedRuns()
  const caller = await fixture.newSession(agent.id, {
    expires_at: new Date(Date.now() + 91 * dayMs).toISOString(),
  })
  const before = await record(children)
  expect(before.events).toBe(1)
  for (const table of ['agent_run_steps', 'agent_hook_deliveries', 'a2a_push_configs', 'a2a_pushes'])
    expect([table, await rowsOf(table, all)]).not.toEqual([table, 0])

  await advanceClock(app.sql, 90 * dayMs - 60_000)
  await renew()
  expect(await sweep()).toBe(0)
  const young = await startRun(app, owner, agent.id, 'say young')
  await runReaches(app, owner, young)
  const asked = await fixture.rpc('SendMessage', said('ask Who?'), { ...v10, token: caller.token })
  const living = { id: asked.body.result.task.id as string, agent_id: agent.id }
  await runReaches(app, owner, living, ['awaiting_input'])
  await advanceClock(app.sql, 120_000)
  expect(await sweep(0)).toBe(0)
  expect(await sweep()).toBe(4)
  for (const table of ['agent_runs', 'agent_run_steps', 'a2a_push_configs', 'a2a_pushes'])
    expect([table, await rowsOf(table, all)]).toEqual([table, 0])
  expect(await rowsOf('agent_runs', [young.id, living.id])).toBe(2)
  expect(await record(children)).toEqual(before)

  const path = `/v1/orgs/${fixture.tenant.id}/agents/${agent.id}/runs/${parent.id}`
  expect((await callAs(app, owner.member, ['GET', path])).status).toBe(404)
  expect((await fixture.rpc('GetTask', { id: task }, v10)).status).toBe(401)
  expect((await fixture.rpc('GetTask', { id: task }, { ...v10, token: caller.token })).body.error.code).toBe(
    -32001,
  )
  // An id with a time is refused for its age, one without is still known.
  expect((await deliver(standard, stamped)).status).toBe(401)
  expect(await deliver(github, unstamped)).toMatchObject({ status: 200, data: { run_id: hookRuns[1] } })
  expect(await rowsOf('agent_hook_deliveries', hookRuns)).toBe(1)
})

test('a tree with a living run stays whole, whatever its root says', async () => {
  const { app, agent } = fixture
  await renew()
  const helper = await newHelper()
  const parent = await startRun(
    app,
    owner,
    agent.id,
    `call delegate ${JSON.stringify({ agent_id: helper.id, objective: 'say hi' })}`,
  )
  const { children } = await runReaches(app, owner, parent)
  expect(children.length).toBe(1)
  await app.sql`update agent_runs set state = 'awaiting_approval', ended_at = null where id = any(${children}::uuid[])`
  await advanceClock(app.sql, 200 * dayMs)
  await sweep()
  expect(await rowsOf('agent_runs', [parent.id, ...children])).toBe(2)
  expect(await rowsOf('agent_run_steps', [parent.id])).toBeGreaterThan(0)
  await app.sql`update agent_runs set state = 'canceled', ended_at = updated_at where id = any(${children}::uuid[])`
  expect(await sweep()).toBe(1)
  expect(await rowsOf('agent_runs', [parent.id, ...children])).toBe(0)
})

test('small batches take all that is old by index, and wait for no row that somebody holds', async () => {
  const { sql, drop } = await testDatabase()
  try {
    const insert = (count: number, age: string) =>
      sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica`
        await tx`
          with runs as (
            insert into agent_runs (id, organization_id, agent_id, session_id, root_id, source, caller, objective, input, state, ended_at)
            select t.id, t.id, t.id, t.id, t.id, 'portal', 'portal', '', '{}', 'completed', app_now() - ${age}::interval
            from (select gen_random_uuid() as id from generate_series(1, ${count})) t returning id),
          deliveries as (insert into agent_hook_deliveries (hook_id, delivery_id, run_id) select r.id, 'd', r.id from runs r),
          messages as (insert into agent_messages (agent_id, caller, message_hash, run_id) select r.id, 'c', '', r.id from runs r),
          configs as (
            insert into a2a_push_configs (run_id, id, config_sealed, wire_version) select r.id, 'c', '', '1.0' from runs r)
          insert into agent_run_steps (run_id, seq, kind) select r.id, n, 'note' from runs r, generate_series(1, 2) n`
      })
    await insert(5_000, '89 days')
    await insert(35, '91 days')
    await sql`analyze`
    const [kept] = await sql<{ id: string }[]>`
      select id from agent_runs where ended_at < app_now() - interval '90 days' limit 1`
    const holder = await sql.reserve()
    await holder`begin`
    await holder`select 1 from agent_runs where id = ${kept?.id ?? null} for update`
    expect((await deleteExpired(sql)).agent_runs).toBe(34)
    await holder`rollback`
    holder.release()
    expect(await sql`select count(*)::integer as n from agent_runs`).toEqual([{ n: 5_001 }])

    await sql.begin(async (tx) => {
      const scanned = async () =>
        (
          await tx<{ relname: string; n: string }[]>`
            select relname, seq_scan::integer as n from pg_stat_xact_user_tables
            where relname in ('agent_runs', 'agent_run_steps', 'agent_hook_deliveries', 'agent_messages', 'a2a_push_configs')
            order by 1`
        ).map(({ relname, n }) => [relname, n])
      const before = await scanned()
      expect(await tx`select sweep_agent_runs(interval '90 days', 10) as n`).toEqual([{ n: 1 }])
      expect(await scanned()).toEqual(before)
    })
  } finally {
    await drop()
  }
})
