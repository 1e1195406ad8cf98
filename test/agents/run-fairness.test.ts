import { randomBytes } from 'node:crypto'
import type { Agent, AgentRun } from '@symbolon/api'
import { joinOrganization, liftRates } from '@symbolon/testing/app'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import {
  createOrganization,
  createWalletFor,
  type PlatformProcesses,
  startPlatformProcesses,
} from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'

let database: TestDatabase
let platform: PlatformProcesses

beforeAll(async () => {
  database = await testDatabase()
  platform = await startPlatformProcesses({ databaseUrl: database.url, apiCount: 2 })
  await liftRates(platform)
})
afterAll(async () => {
  await platform?.stop()
  await database?.drop()
})

/** An organization with an agent whose objective says what it does; `start` starts a run of it. */
async function worker() {
  const [api] = platform.apis
  if (api === undefined) throw new Error('There is no process.')
  const organization = await createOrganization(api)
  const email = `owner-${randomBytes(6).toString('hex')}@example.test`
  const opened = await api.call('/dev/portal-session', { method: 'POST', body: { email } })
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
  const { user } = JSON.parse(opened.text) as { user: { id: string } }
  await joinOrganization(platform, organization.id, { user: { ...user, email, cookie }, role: 'owner' })
  const wallet = await createWalletFor(api, organization.secret_key, randomBytes(8).toString('hex'))
  const post = async (path: string, body: object) => {
    const headers = { cookie, origin: platform.baseUrl }
    const made = await api.call(`/v1/orgs/${organization.id}${path}`, { method: 'POST', headers, body })
    if (made.status !== 201) throw new Error(made.text)
    return made.data as unknown
  }
  const agent = (await post('/agents', {
    name: 'Worker',
    wallet_id: wallet.data['id'],
    runner: 'scripted',
  })) as Agent
  const start = (objective: string) => post(`/agents/${agent.id}/runs`, { objective }) as Promise<AgentRun>
  return { organizationId: organization.id, start }
}

const working = async (organizationId: string): Promise<number> =>
  (
    await platform.sql`select 1 from agent_runs where organization_id = ${organizationId} and state = 'running' and due_at > app_now()`
  ).length

test('hundreds of slow runs of one organization do not keep the run of another waiting', async () => {
  const { sql } = platform
  const [hog, other] = await Promise.all([worker(), worker()])
  const { id } = await hog.start('sleep 60000')
  await sql`
    insert into agent_runs (id, organization_id, agent_id, session_id, root_id, source, caller, objective, input, due_at, deadline_at)
    select t.id, r.organization_id, r.agent_id, r.session_id, t.id, r.source, r.caller, r.objective, r.input, app_now(), r.deadline_at
    from agent_runs r, (select gen_random_uuid() as id from generate_series(1, 400)) t where r.id = ${id}`
  // All that it gets of two processes.
  await expect.poll(() => working(hog.organizationId)).toBe(32)

  for (let i = 0; i < 5; i++) {
    const run = await other.start('say hello')
    const state = async () =>
      (await sql<{ state: string }[]>`select state from agent_runs where id = ${run.id}`)[0]?.state
    await expect.poll(state, { interval: 10 }).toBe('completed')
  }
  // Both processes have looked for runs since, many times.
  expect(await working(hog.organizationId)).toBe(32)
})
