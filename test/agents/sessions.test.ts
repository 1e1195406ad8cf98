import { randomUUID } from 'node:crypto'
import type { AgentSession } from '@symbolon/api'
import { agentTokenKey } from '@symbolon/crypto/node'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import { type MintedSession, makeAgent, mintBody, mintSession, setRules } from '@symbolon/testing/agents'
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
import { holdOrganization, untilWaiting } from '@symbolon/testing/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant
let other: Tenant
let owner: PortalUser
let walletId: string

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  other = await makeTenant(app)
  owner = await newMember(app, tenant.id, 'owner')
  walletId = (await makeWalletFor(app, tenant)).id
})
afterAll(() => app.stop())

const sessionsPath = '/v1/s2s/agent-sessions'
const me = (token: string) => app.call<AgentSession>('GET', '/v1/agents/me', { token })
const mint = (json: Record<string, unknown>, { sk } = tenant) =>
  app.call<MintedSession>('POST', sessionsPath, { sk, json })
const revoke = (id: string, { id: organizationId, sk } = tenant) =>
  app.call<AgentSession>('POST', `/v1/orgs/${organizationId}/agent-sessions/${id}/revoke`, { sk })
const page = (query: string) =>
  app.call<{ items: AgentSession[]; total: number }>('GET', `${sessionsPath}?${query}`, { sk: tenant.sk })

describe('minting', () => {
  test('a token opens its session, and is shown nowhere again', async () => {
    const { token, warnings, ...minted } = await mintSession(app, tenant, walletId)
    expect(warnings).toEqual([])
    expect(token).toMatch(/^as_live_[0-9A-Za-z]{49}$/)
    expect(minted).toMatchObject({
      status: 'active',
      wallet_id: walletId,
      agent_id: null,
      token_hint: token.slice(-4),
      max_spend_total_native: '10000',
      spent_total_native: '0',
      remaining_native: '10000',
      clipped: [],
      spent: [],
      transactions: { count: 0, reserved: 0, max: null },
    })
    const { data } = await me(token)
    expect(data).toEqual({ ...minted, last_used_at: data.last_used_at })
    expect(data.last_used_at).not.toBe(minted.last_used_at)
    const read = await app.call('GET', `${sessionsPath}/${minted.id}`, { sk: tenant.sk })
    expect(read.data).toEqual(data)
    expect(read.text).not.toContain(token)
  })

  test('the end may be given in any zone, and is returned in UTC with milliseconds', async () => {
    const year = new Date().getUTCFullYear() + 1
    for (const [given, returned] of [
      [`${year}-01-01T00:00:00Z`, `${year}-01-01T00:00:00.000Z`],
      [`${year}-01-01T02:00:00+02:00`, `${year}-01-01T00:00:00.000Z`],
      [`${year}-01-01T00:00:00.123456Z`, `${year}-01-01T00:00:00.123Z`],
    ]) {
      const { token, expires_at } = await mintSession(app, tenant, walletId, { expires_at: given })
      expect(expires_at).toBe(returned)
      expect((await me(token)).data.effective_policy.expires_at).toBe(returned)
    }
    for (const expires_at of [`${year}-01-01`, `${year}-01-01T00:00:00`])
      expect((await mint(mintBody(walletId, { expires_at }))).error?.code).toBe('invalid_request')
  })

  test('neither the token nor its key is in the database or in the log', async () => {
    const { token, id } = await mintSession(app, tenant, walletId)
    await me(token)
    const rows = await app.sql<{ text: string }[]>`
      select s::text || encode(s.grant_sealed, 'base64') as text from agent_sessions s where s.id = ${id}`
    const events = await app.sql<{ text: string }[]>`select payload::text as text from audit_events`
    const written = [...rows, ...events].map(({ text }) => text).join() + app.log.lines.join()
    expect(written).toContain(id)
    expect(written).not.toContain(token.slice(8, 40))
    expect(written).not.toContain(Buffer.from(agentTokenKey(token)).toString('hex'))
    expect(written).not.toContain(Buffer.from(agentTokenKey(token)).toString('base64'))
  })

  test('limits above those of the organization and the agent are clipped and named, without an error', async () => {
    const strict = await makeTenant(app)
    const member = await newMember(app, strict.id, 'admin')
    const wallet = await makeWalletFor(app, strict)
    const around = { member, organizationId: strict.id, walletId: wallet.id }
    await setRules(app, around, {
      max_native_total_cap: '700',
      max_session_ttl_seconds: 600,
      blocked_chains: ['base'],
    })
    const agent = await makeAgent(app, around, { policy: { max_spend_per_tx_native: '30' } })
    const minted = await mintSession(app, strict, wallet.id, { agent_id: agent.id })
    expect(minted).toMatchObject({
      agent_id: agent.id,
      max_spend_per_tx_native: '30',
      max_spend_total_native: '700',
      remaining_native: '700',
    })
    expect([...minted.clipped].sort()).toEqual(
      expect.arrayContaining(['expires_at', 'max_spend_per_tx_native', 'max_spend_total_native']),
    )
    expect(minted.clipped).not.toContain('allowed_methods')
    const lifetimeMs = Date.parse(minted.expires_at ?? '') - Date.parse(minted.created_at)
    expect(lifetimeMs).toBeGreaterThan(590_000)
    expect(lifetimeMs).toBeLessThanOrEqual(600_000)
  })

  test('later rules narrow a session at once, and loosening them never widens it beyond its mint', async () => {
    const strict = await makeTenant(app)
    const member = await newMember(app, strict.id, 'owner')
    const wallet = await makeWalletFor(app, strict)
    const around = { member, organizationId: strict.id, walletId: wallet.id }
    await setRules(app, around, { max_native_total_cap: '700' })
    const { token } = await mintSession(app, strict, wallet.id)
    await setRules(app, around, { max_native_total_cap: '5', token_mode: 'none' })
    expect((await me(token)).data).toMatchObject({
      max_spend_total_native: '5',
      effective_policy: { token_mode: 'none' },
    })
    await setRules(app, around, { token_mode: 'any' })
    expect((await me(token)).data).toMatchObject({
      max_spend_total_native: '700',
      effective_policy: { token_mode: 'allowlist' },
    })
  })

  test('a shorter longest life ends tokens that live longer already', async () => {
    const strict = await makeTenant(app)
    const member = await newMember(app, strict.id, 'owner')
    const wallet = await makeWalletFor(app, strict)
    const { token, id } = await mintSession(app, strict, wallet.id)
    await app.sql`update agent_sessions set created_at = created_at - interval '5 minutes' where id = ${id}`
    await setRules(app, { member, organizationId: strict.id }, { max_session_ttl_seconds: 60 })
    expect((await me(token)).error?.code).toBe('token_expired')
  })

  test('a mint that new rules overtake is sealed under the new ones', async () => {
    const strict = await makeTenant(app)
    const wallet = await makeWalletFor(app, strict)
    const release = await holdOrganization(app, strict.id)
    const minting = mint(mintBody(wallet.id), strict)
    await untilWaiting(app)
    await release(`insert into organization_rules (organization_id, rules)
      values ('${strict.id}', '{"max_native_total_cap": "3"}')`)
    const { status, data } = await minting
    expect(status).toBe(201)
    expect(data).toMatchObject({ max_spend_total_native: '3', clipped: ['max_spend_total_native'] })
  })

  test.each([
    [
      'a wallet of another organization',
      404,
      'wallet_not_found',
      async () => (await makeWalletFor(app, other)).id,
    ],
    ['no wallet at all', 404, 'wallet_not_found', async () => randomUUID()],
    [
      'an archived wallet',
      409,
      'wallet_archived',
      async () => {
        const { id } = await makeWalletFor(app, tenant)
        await app.call('POST', `/v1/s2s/wallets/${id}/archive`, { sk: tenant.sk })
        return id
      },
    ],
    [
      'a client wallet',
      409,
      'wallet_not_tee_mode',
      async () => {
        const { id } = await makeWalletFor(app, tenant)
        await app.sql`update wallets set signing_mode = 'client' where id = ${id}`
        return id
      },
    ],
  ])('%s is refused', async (_, status, code, wallet) => {
    const answer = await mint(mintBody(await wallet()))
    expect({ status: answer.status, code: answer.error?.code }).toEqual({ status, code })
  })

  test.each([
    ['an unknown chain', 'chain_unsupported', { allowed_chains: ['base', 'no-such-chain'] }],
    ['an unknown chain of a token', 'chain_unsupported', { allowed_tokens: [{ chain: 'x', token: '0x1' }] }],
    ['an end that is past', 'invalid_request', { expires_at: '2020-01-01T00:00:00.000Z' }],
    ['a field that no policy has', 'invalid_request', { blocked_recipients: [] }],
    ['an amount that is not a number', 'invalid_request', { max_spend_total_native: '-1' }],
    [
      'a policy longer than 48 KiB',
      'invalid_request',
      { allowed_recipients: Array(256).fill(`factory/${'x'.repeat(192)}`) },
    ],
  ])('%s is refused', async (_, code, change) => {
    expect((await mint(mintBody(walletId, change))).error?.code).toBe(code)
  })

  test('an agent has to be active, of the organization and of the same wallet', async () => {
    const stranger = await newMember(app, other.id, 'owner')
    const theirs = await makeWalletFor(app, other)
    const foreign = await makeAgent(app, { member: stranger, organizationId: other.id, walletId: theirs.id })
    const wallet = await makeWalletFor(app, tenant)
    const elsewhere = await makeAgent(app, { member: owner, organizationId: tenant.id, walletId: wallet.id })
    const archived = await makeAgent(app, { member: owner, organizationId: tenant.id, walletId })
    await callAs(app, owner, ['POST', `/v1/orgs/${tenant.id}/agents/${archived.id}/archive`])
    const codeWith = async (agentId: string) =>
      (await mint(mintBody(walletId, { agent_id: agentId }))).error?.code
    expect(await codeWith(foreign.id)).toBe('not_found')
    // An agent of another organization looks like a missing one.
    for (const agent_id of [foreign.id, randomUUID()]) {
      const { error } = await mint(mintBody(walletId, { agent_id }))
      expect(error?.message).toBe('Agent not found.')
    }
    const { error } = await mint(mintBody(walletId, { max_spend_total_native: '0.1' }))
    expect(error?.message).toBe(
      'The request is invalid: `max_spend_total_native` must be a whole number in the smallest unit.',
    )
    expect(await codeWith(archived.id)).toBe('agent_archived')
    expect(await codeWith(elsewhere.id)).toBe('invalid_request')
  })

  test('a read key mints nothing, and a repeat under one idempotency key mints once', async () => {
    const json = mintBody(walletId)
    const read = await app.call('POST', sessionsPath, { sk: tenant.readKey, json })
    expect(read.error?.code).toBe('insufficient_scope')
    const headers = { 'idempotency-key': randomUUID() }
    const total = (await page('limit=1')).data.total
    const first = await app.call('POST', sessionsPath, { sk: tenant.sk, json, headers })
    const again = await app.call('POST', sessionsPath, { sk: tenant.sk, json, headers })
    expect([first.status, again.error?.code]).toEqual([201, 'idempotency_key_spent'])
    expect((await page('limit=1')).data.total).toBe(total + 1)
  })
})

describe('ending', () => {
  test('a revoked token is refused from then on; its grant is gone; revoking again changes nothing', async () => {
    const { token, id } = await mintSession(app, tenant, walletId)
    const first = await revoke(id)
    expect(first).toMatchObject({ status: 200, data: { id, status: 'revoked' } })
    expect((await me(token)).error?.code).toBe('token_revoked')
    expect((await revoke(id)).data).toEqual(first.data)
    const rows = await app.sql`select grant_sealed from agent_sessions where id = ${id}`
    expect(rows[0]?.['grant_sealed']).toBe(null)
    const { data } = await callAs<{ items: { payload: unknown }[] }>(app, owner, [
      'GET',
      `/v1/orgs/${tenant.id}/audit?event_type=agent_session.revoked`,
    ])
    expect(data.items.filter(({ payload }) => JSON.stringify(payload).includes(id))).toHaveLength(1)
  })

  test('revoking works while the enclave is out of reach', async () => {
    const { token, id } = await mintSession(app, tenant, walletId)
    const enclave = enclaveSocket({ ...app.enclaveProcess.client, path: `${app.folder}/no-enclave.sock` })
    const alone = await startTestApp({ installation: app, ports: { enclave } })
    try {
      const path = `/v1/orgs/${tenant.id}/agent-sessions/${id}/revoke`
      expect(await alone.call('POST', path, { sk: tenant.sk })).toMatchObject({
        status: 200,
        data: { status: 'revoked' },
      })
      expect((await me(token)).error?.code).toBe('token_revoked')
    } finally {
      await alone.stop()
    }
  })

  test('a token is expired from its end on, by the clock of the database', async () => {
    const { token, id } = await mintSession(app, tenant, walletId)
    await app.sql`update agent_sessions set expires_at = app_now() + interval '1 minute' where id = ${id}`
    expect((await me(token)).status).toBe(200)
    await app.sql`update agent_sessions set expires_at = app_now() where id = ${id}`
    expect((await me(token)).error?.code).toBe('token_expired')
    expect((await page('status=expired')).data.items.map((one) => one.id)).toContain(id)
  })

  test('an unknown, a mistyped and another kind of token are unauthorized', async () => {
    const { token } = await mintSession(app, tenant, walletId)
    const mistyped = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a')
    for (const bearer of ['as_live_', mistyped, tenant.sk, 'x'.repeat(10)])
      expect((await me(bearer)).error?.code).toBe('unauthorized')
  })
})

describe('isolation', () => {
  test("another organization's session answers as an absent one, to every way of asking", async () => {
    const { id } = await mintSession(app, tenant, walletId)
    const stranger = await newMember(app, other.id, 'owner')
    const answers = await Promise.all([
      app.call('GET', `${sessionsPath}/${id}`, { sk: other.sk }),
      revoke(id, other),
      // A foreign key on the session's own organization, and the organization's own key on a foreign one.
      app.call('POST', `/v1/orgs/${tenant.id}/agent-sessions/${id}/revoke`, { sk: other.sk }),
      app.call('POST', `/v1/orgs/${other.id}/agent-sessions/${id}/revoke`, { sk: tenant.sk }),
      callAs(app, stranger, ['GET', `/v1/orgs/${tenant.id}/agent-sessions/${id}`]),
      callAs(app, stranger, ['GET', `/v1/orgs/${other.id}/agent-sessions/${id}`]),
      callAs(app, stranger, ['POST', `/v1/orgs/${other.id}/agent-sessions/${id}/revoke`]),
      callAs(app, stranger, ['POST', `/v1/orgs/${tenant.id}/agent-sessions/${id}/revoke`]),
      callAs(app, stranger, ['GET', `/v1/orgs/${tenant.id}/rules`]),
    ])
    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
      answers.map(() => [404, 'not_found']),
    )
    expect((await app.call('GET', `${sessionsPath}/${id}`, { sk: tenant.sk })).data['status']).toBe('active')
  })

  test('a viewer reads and a developer revokes; rules are for admins and owners', async () => {
    const { id } = await mintSession(app, tenant, walletId)
    const viewer = await newMember(app, tenant.id, 'viewer')
    const developer = await newMember(app, tenant.id, 'developer')
    const path = `/v1/orgs/${tenant.id}/agent-sessions/${id}`
    expect((await callAs(app, viewer, ['GET', path])).status).toBe(200)
    expect((await callAs(app, viewer, ['POST', `${path}/revoke`])).error?.code).toBe('forbidden')
    expect((await callAs(app, developer, ['POST', `${path}/revoke`])).status).toBe(200)
    const rules = `/v1/orgs/${tenant.id}/rules`
    expect((await callAs(app, developer, ['PUT', rules, {}])).error?.code).toBe('forbidden')
    expect((await callAs(app, developer, ['GET', rules])).error?.code).toBe('forbidden')
    const read = await app.call('POST', `${path}/revoke`, { sk: tenant.readKey })
    expect(read.error?.code).toBe('insufficient_scope')
  })
})

test('lists are newest first, with exact totals, by wallet, agent and status', async () => {
  const wallet = await makeWalletFor(app, tenant)
  const agent = await makeAgent(app, { member: owner, organizationId: tenant.id, walletId: wallet.id })
  const minted: MintedSession[] = []
  for (let i = 0; i < 5; i++)
    minted.push(await mintSession(app, tenant, wallet.id, i < 2 ? { agent_id: agent.id } : {}))
  const [first, second, third] = minted
  await revoke(third?.id ?? '')
  const ids = async (query: string) => {
    const { data } = await page(query)
    return { total: data.total, ids: data.items.map(({ id }) => id) }
  }
  const newest = minted.map(({ id }) => id).reverse()
  // The agent's own session came before them.
  expect(await ids(`wallet_id=${wallet.id}`)).toEqual({ total: 6, ids: [...newest, agent.session_id] })
  expect(await ids(`wallet_id=${wallet.id}&limit=2&offset=1`)).toEqual({ total: 6, ids: newest.slice(1, 3) })
  expect(await ids(`wallet_id=${wallet.id}&limit=2&offset=9`)).toEqual({ total: 6, ids: [] })
  expect(await ids(`wallet_id=${wallet.id}&status=revoked`)).toEqual({ total: 1, ids: [third?.id] })
  expect(await ids(`agent_id=${agent.id}`)).toEqual({
    total: 3,
    ids: [second?.id, first?.id, agent.session_id],
  })
  expect((await page('limit=201')).error?.code).toBe('invalid_request')
})

test('a native total or a count of transactions that is used up shows as exhausted, with the row that has the least left', async () => {
  const { id, token } = await mintSession(app, tenant, walletId, { max_tx_count: 7 })
  const spend = (counter: string, spent: number, reserved: number) => app.sql`
    insert into agent_counters (session_id, counter, spent, reserved) values (${id}, ${counter}, ${spent}, ${reserved})
    on conflict (session_id, counter) do update set spent = excluded.spent, reserved = excluded.reserved`
  await spend('native ETH/18', 4_000, 1_000)
  await spend('native POL/18', 9_000, 100)
  await spend('transactions', 6, 0)
  expect((await me(token)).data).toMatchObject({
    status: 'active',
    spent_total_native: '9000',
    reserved_native: '100',
    remaining_native: '900',
    spent: [
      { asset: 'ETH', spent: '4000', reserved: '1000', remaining: '5000' },
      { asset: 'POL', spent: '9000', reserved: '100', remaining: '900' },
    ],
    transactions: { count: 6, reserved: 0, max: 7 },
  })
  await spend('transactions', 6, 1)
  expect((await me(token)).data.status).toBe('exhausted')
  await spend('transactions', 6, 0)
  await spend('native POL/18', 9_000, 1_000)
  expect((await me(token)).data).toMatchObject({ status: 'exhausted', remaining_native: '0' })
  expect((await page('status=exhausted')).data.items.map((one) => one.id)).toEqual([id])
  expect((await page('status=active')).data.items.map((one) => one.id)).not.toContain(id)
})
