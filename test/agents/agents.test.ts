import { randomUUID } from 'node:crypto'
import type { Agent, AgentSession } from '@symbolon/api'
import { makeAgent, mintSession, runReaches, setRules, startRun } from '@symbolon/testing/agents'
import {
  callAs,
  makeTenant,
  makeWalletFor,
  newMember,
  type PortalUser,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant
let owner: PortalUser
let walletId: string
let at: string

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  owner = await newMember(app, tenant.id, 'owner')
  walletId = (await makeWalletFor(app, tenant)).id
  at = `/v1/orgs/${tenant.id}/agents`
})
afterAll(() => app.stop())

const around = () => ({ member: owner, organizationId: tenant.id, walletId })
const sessionOf = async (id: string) =>
  (await app.call<AgentSession>('GET', `/v1/s2s/agent-sessions/${id}`, { sk: tenant.sk })).data
const eventsOf = async (type: string) =>
  (
    await callAs<{ items: { payload: Record<string, unknown> }[] }>(app, owner, [
      'GET',
      `/v1/orgs/${tenant.id}/audit?event_type=${type}`,
    ])
  ).data.items.map(({ payload }) => payload)

test('the session of its own runs says when it was last used, at most once a minute', async () => {
  const agent = await makeAgent(app, around(), { runner: 'scripted' })
  const owner = { member: around().member, organizationId: tenant.id }
  const used = async () => (await sessionOf(agent.session_id)).last_used_at
  const run = async (objective: string) => {
    const { state } = await runReaches(app, owner, await startRun(app, owner, agent.id, objective))
    expect(state).toBe('completed')
  }
  await run('say nothing is used for this')
  expect(await used()).toBe(null)
  const startedAt = Date.now() - 1
  await run('call get_policy {}')
  const first = await used()
  expect(Date.parse(first ?? '')).toBeGreaterThanOrEqual(startedAt)
  await run('call get_policy {}')
  expect(await used()).toBe(first)
  // Of a minute ago: noted again, but never waited for.
  await app.sql`update agent_sessions set last_used_at = last_used_at - interval '61 seconds' where id = ${agent.session_id}`
  const earlier = await used()
  const connection = await app.sql.reserve()
  await connection`begin`
  await connection`select 1 from agent_sessions where id = ${agent.session_id} for no key update`
  try {
    await run('call get_policy {}')
    expect(await used()).toBe(earlier)
  } finally {
    await connection`rollback`
    connection.release()
  }
  await run('call get_policy {}')
  expect(Date.parse((await used()) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''))
})

test('a new agent has a session of its own without a token, and an endpoint', async () => {
  const policy = {
    max_spend_total_native: '50',
    allowed_tokens: [{ chain: 'base', token: `0x${'11'.repeat(20)}` }],
  }
  const agent = await makeAgent(app, around(), { policy, description: 'Pays.', skills: [] })
  expect(agent).toMatchObject({
    status: 'active',
    runner: 'intent',
    policy,
    objective_template: '{{objective}}',
    archived_at: null,
  })
  expect(agent.endpoint_url).toMatch(new RegExp(`/v1/agents/${agent.id}/a2a$`))
  expect(await sessionOf(agent.session_id)).toMatchObject({
    agent_id: agent.id,
    token_hint: null,
    status: 'active',
    expires_at: null,
    clipped: [],
    max_spend_total_native: '50',
    allowed_tokens: policy.allowed_tokens,
  })
  expect((await callAs<Agent>(app, owner, ['GET', `${at}/${agent.id}`])).data).toEqual(agent)
  expect(await eventsOf('agent.created')).toContainEqual(expect.objectContaining({ agent_id: agent.id }))
})

test("another policy holds at once, reaches the agent's own session when it widens, and never a token's", async () => {
  const agent = await makeAgent(app, around(), { policy: { max_spend_total_native: '50' } })
  const minted = await mintSession(app, tenant, walletId, { agent_id: agent.id })
  const change = (policy: Agent['policy']) =>
    callAs<Agent>(app, owner, ['PATCH', `${at}/${agent.id}`, { policy }])
  expect((await change({ max_spend_total_native: '80' })).data.policy).toEqual({
    max_spend_total_native: '80',
  })
  expect((await sessionOf(agent.session_id)).max_spend_total_native).toBe('80')
  expect((await sessionOf(minted.id)).max_spend_total_native).toBe('50')
  await change({ max_spend_total_native: '9' })
  expect((await sessionOf(agent.session_id)).max_spend_total_native).toBe('9')
  expect((await sessionOf(minted.id)).max_spend_total_native).toBe('9')
  expect(await eventsOf('agent.updated')).toContainEqual({ agent_id: agent.id, changed: ['policy'] })
})

test("the end of its agent's policy is the end of a token too, in every place that asks", async () => {
  const agent = await makeAgent(app, around())
  const { token, id } = await mintSession(app, tenant, walletId, { agent_id: agent.id })
  const policy = { expires_at: new Date(Date.now() - 1_000).toISOString() }
  await callAs(app, owner, ['PATCH', `${at}/${agent.id}`, { policy }])
  expect((await app.call('GET', '/v1/agents/me', { token })).error?.code).toBe('token_expired')
  const json = { type: 'message', message: 'late', chain: 'base' }
  expect((await app.call('POST', '/v1/agents/me/sign', { token, json })).error?.code).toBe('token_expired')
  expect(await sessionOf(id)).toMatchObject({ status: 'expired', expires_at: policy.expires_at })
})

test("loosened rules reach the agents' own sessions, and an update without a change records no event", async () => {
  const agent = await makeAgent(app, around())
  await setRules(app, around(), { max_native_total_cap: '5' })
  expect((await sessionOf(agent.session_id)).max_spend_total_native).toBe('5')
  await setRules(app, around(), { max_native_total_cap: '6', token_mode: 'any' })
  expect(await sessionOf(agent.session_id)).toMatchObject({
    max_spend_total_native: '6',
    allowed_tokens: null,
    effective_policy: { token_mode: 'any' },
  })
  const before = (await eventsOf('org.rules_updated')).length
  await setRules(app, around(), { token_mode: 'any', max_native_total_cap: '6' })
  const events = await eventsOf('org.rules_updated')
  expect(events).toHaveLength(before)
  expect(events[0]).toEqual({
    changed: ['max_native_total_cap', 'token_mode'],
    before: { max_native_total_cap: '5', token_mode: null },
    after: { max_native_total_cap: '6', token_mode: 'any' },
  })
  await setRules(app, around(), {})
})

test('of many changes at once each takes effect once, on what was before it', async () => {
  const agent = await makeAgent(app, around())
  const caps = ['1', '2', '3', '4', '5', '6']
  const answers = await Promise.all(
    caps.map((cap) =>
      callAs<Agent>(app, owner, ['PATCH', `${at}/${agent.id}`, { policy: { max_spend_total_native: cap } }]),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(caps.map(() => 200))
  const [row] = await app.sql<{ policy: unknown; version: string; grant: number }[]>`
    select a.policy, a.policy_version::text as version, s.policy_version as grant
    from agents a join agent_sessions s on s.id = a.session_id where a.id = ${agent.id}`
  expect(row).toMatchObject({ version: String(1 + caps.length), grant: 1 + caps.length })
  const session = await sessionOf(agent.session_id)
  expect({ max_spend_total_native: session.max_spend_total_native }).toEqual(row?.policy)
})

test('archiving ends the agent and all its sessions, for good', async () => {
  const agent = await makeAgent(app, around())
  const { token, id } = await mintSession(app, tenant, walletId, { agent_id: agent.id })
  const archive = () => callAs(app, owner, ['POST', `${at}/${agent.id}/archive`])
  expect((await archive()).status).toBe(204)
  expect((await archive()).status).toBe(204)
  expect((await app.call('GET', '/v1/agents/me', { token })).error?.code).toBe('token_revoked')
  expect((await sessionOf(id)).status).toBe('revoked')
  expect((await sessionOf(agent.session_id)).status).toBe('revoked')
  const changed = await callAs(app, owner, ['PATCH', `${at}/${agent.id}`, { name: 'Again' }])
  expect(changed.error?.code).toBe('agent_archived')
  const { data } = await callAs<Agent>(app, owner, ['GET', `${at}/${agent.id}`])
  expect(data).toMatchObject({ status: 'archived', archived_at: expect.any(String) })
  const events = await eventsOf('agent.archived')
  expect(events.filter((payload) => payload['agent_id'] === agent.id)).toEqual([
    { agent_id: agent.id, revoked_sessions: 2 },
  ])
})

test('lists are newest first, with exact totals, by status', async () => {
  const company = await makeTenant(app)
  const member = await newMember(app, company.id, 'developer')
  const wallet = await makeWalletFor(app, company)
  const list = `/v1/orgs/${company.id}/agents`
  const made: Agent[] = []
  for (let i = 0; i < 3; i++)
    made.push(await makeAgent(app, { member, organizationId: company.id, walletId: wallet.id }))
  await callAs(app, member, ['POST', `${list}/${made[1]?.id}/archive`])
  const page = async (query: string) => {
    const { data } = await callAs<{ items: Agent[]; total: number }>(app, member, ['GET', `${list}?${query}`])
    return { total: data.total, ids: data.items.map(({ id }) => id) }
  }
  const ids = made.map(({ id }) => id)
  expect(await page('')).toEqual({ total: 3, ids: [ids[2], ids[1], ids[0]] })
  expect(await page('limit=1&offset=1')).toEqual({ total: 3, ids: [ids[1]] })
  expect(await page('status=active')).toEqual({ total: 2, ids: [ids[2], ids[0]] })
})

test("another organization's agent answers as an absent one, and viewers change nothing", async () => {
  const agent = await makeAgent(app, around())
  const elsewhere = await makeTenant(app)
  const stranger = await newMember(app, elsewhere.id, 'owner')
  const theirs = `/v1/orgs/${elsewhere.id}/agents/${agent.id}`
  const answers = await Promise.all([
    callAs(app, stranger, ['GET', theirs]),
    callAs(app, stranger, ['PATCH', theirs, { name: 'Mine' }]),
    callAs(app, stranger, ['POST', `${theirs}/archive`]),
    callAs(app, stranger, ['POST', `${theirs}/runs`, { objective: 'policy' }]),
    callAs(app, stranger, ['GET', `${at}/${agent.id}`]),
    callAs(app, owner, ['GET', `${at}/${randomUUID()}`]),
  ])
  expect(answers.map(({ error }) => error?.code)).toEqual(answers.map(() => 'not_found'))
  const foreignWallet = await makeWalletFor(app, elsewhere)
  const made = await callAs(app, owner, ['POST', at, { name: 'Thief', wallet_id: foreignWallet.id }])
  expect(made.error?.code).toBe('wallet_not_found')
  const viewer = await newMember(app, tenant.id, 'viewer')
  expect((await callAs(app, viewer, ['GET', `${at}/${agent.id}`])).status).toBe(200)
  for (const call of [
    ['PATCH', `${at}/${agent.id}`, { name: 'X' }],
    ['POST', `${at}/${agent.id}/archive`],
    ['POST', at, { name: 'X', wallet_id: walletId }],
  ] as const)
    expect((await callAs(app, viewer, call)).error?.code).toBe('forbidden')
})

test('a runner that the installation does not have is refused', async () => {
  const made = await callAs(app, owner, ['POST', at, { name: 'X', wallet_id: walletId, runner: 'llm' }])
  expect(made.error).toMatchObject({ code: 'invalid_request', details: { issues: [{ path: ['runner'] }] } })
})
