import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  type A2aFixture,
  a2aFixture,
  anyAddress,
  eventsOf,
  signAs,
  transferRequest,
} from '@symbolon/testing/agents'
import { callAs, ownOrigin, startClock, stopClock } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let fixture: A2aFixture

beforeAll(async () => {
  // Nothing here goes out to the chain.
  const nobody = 'http://127.0.0.1:9'
  fixture = await a2aFixture({
    chains: [{ handle: 'local', rpcUrls: [nobody], bundlerUrl: nobody, confirmations: 1 }],
  })
})
afterAll(() => fixture.app.stop())

async function connected(token = fixture.session.token, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options)
  const transport = new StreamableHTTPClientTransport(new URL(`${fixture.at}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  return client
}

const payable = { allowed_tokens: [{ chain: 'local', token: anyAddress() }] }
const everyTool = [
  'get_balance',
  'get_policy',
  'get_transaction',
  'pay',
  'send_transaction',
  'send_user_operation',
  'sign_message',
]
const toolsOf = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).sort()

test('the official client of either era lists the tools that work outside of a run, and no other is there', async () => {
  const { token } = await fixture.newSession(fixture.agent.id, payable)
  for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }] as const) {
    const client = await connected(token, { versionNegotiation: { mode } })
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : '2026-07-28')
    expect(await toolsOf(client)).toEqual(everyTool)
    for (const { inputSchema, description } of (await client.listTools()).tools) {
      expect(inputSchema.type).toBe('object')
      expect(description).toMatch(/\.$/)
    }
    const policy = await client.callTool({ name: 'get_policy', arguments: {} })
    expect(policy.structuredContent).toMatchObject({ status: 'active' })
    for (const name of ['finish', 'ask_user', 'delegate', 'format_disk'])
      await expect(client.callTool({ name, arguments: { result: 'x' } })).rejects.toThrow(/Tool not found/)
    await client.close()
  }
})

test('a token sees the tools that its policy leaves, and what it calls all the same is refused with the reason', async () => {
  const reading = ['get_balance', 'get_policy', 'get_transaction']
  for (const [more, tools] of [
    [{ ...payable, allowed_methods: ['sendTransaction'] }, ['send_transaction', 'send_user_operation']],
    [{ ...payable, allowed_methods: ['signMessage'] }, ['pay', 'sign_message']],
    [{ allowed_methods: ['signMessage'] }, ['sign_message']],
    [{ ...payable, allowed_recipients: [] }, ['sign_message']],
    [{ ...payable, max_tx_count: 0 }, ['pay', 'sign_message']],
    // No node of this chain is known here.
    [{ ...payable, allowed_chains: ['base'] }, ['sign_message']],
    [{ ...payable, allowed_chains: [] }, []],
  ] as const) {
    const client = await connected((await fixture.newSession(fixture.agent.id, more)).token)
    expect(await toolsOf(client), JSON.stringify(more)).toEqual([...reading, ...tools].sort())
    await client.close()
  }
  const session = await fixture.newSession(fixture.agent.id, { allowed_methods: ['sendTransaction'] })
  const client = await connected(session.token)
  const refused = await client.callTool({ name: 'sign_message', arguments: { message: 'hello' } })
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: { code: 'policy_violation', details: { reason: 'method_not_allowed' } },
  })
  expect(await eventsOf(fixture.app, fixture.owner, session)).toMatchObject({
    items: [{ outcome: 'rejected', reason_code: 'method_not_allowed' }],
  })
  await client.close()
})

test('a session whose transactions are used up is offered no tool that sends one', async () => {
  const { app, agent } = fixture
  const { token } = await fixture.newSession(agent.id, { ...payable, max_tx_count: 1 })
  const client = await connected(token)
  expect(await toolsOf(client)).toEqual(everyTool)
  expect((await signAs(app, token, transferRequest(anyAddress(), 1n))).status).toBe(200)
  expect(await toolsOf(client)).toEqual(everyTool.filter((name) => !name.startsWith('send_')))
  await client.close()
})

test('rules of the organization that come later take tools off the list at once', async () => {
  const { app, owner, tenant, agent } = fixture
  const client = await connected((await fixture.newSession(agent.id, payable)).token)
  const rules = (body: object) => callAs(app, owner, ['PUT', `/v1/orgs/${tenant.id}/rules`, body])
  expect(await toolsOf(client)).toContain('pay')
  expect((await rules({ token_mode: 'none' })).status).toBe(200)
  expect(await toolsOf(client)).not.toContain('pay')
  expect((await rules({})).status).toBe(200)
  await client.close()
})

test('initialize is of 2025-11-25 and older, and a request of 2026-07-28 has server/discover in its place', async () => {
  const version = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const today = (method: string, params: object) =>
    post(
      { jsonrpc: '2.0', id: 3, method, params: { ...params, _meta } },
      { 'mcp-protocol-version': version, 'mcp-method': method },
    )
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  for (const params of [{}, hello]) {
    const answer = await today('initialize', params)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: 3, error: { code: -32601 } })
  }
  const discovered = await today('server/discover', {})
  expect(discovered.status).toBe(200)
  expect(await discovered.text()).toContain(`"supportedVersions":["${version}"`)
  for (const protocolVersion of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    const params = { ...hello, protocolVersion }
    const answer = await post({ jsonrpc: '2.0', id: 4, method: 'initialize', params })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(`"protocolVersion":"${protocolVersion}"`)
  }
})

test('a tool signs with the wallet of the session, and what the policy refuses says why', async () => {
  const client = await connected()
  const signed = await client.callTool({
    name: 'sign_message',
    arguments: { message: 'hello', chain: 'local' },
  })
  expect(signed.isError).not.toBe(true)
  expect(JSON.stringify(signed.content)).toMatch(/0x[0-9a-f]{130}/)
  const refused = await client.callTool({
    name: 'sign_message',
    arguments: { message: 'hello', chain: 'optimism' },
  })
  expect(refused).toMatchObject({ isError: true })
  expect(JSON.stringify(refused.content)).toMatch(/chain_not_allowed/)
  const unfit = await client.callTool({ name: 'sign_message', arguments: { message: 7 } })
  expect(unfit).toMatchObject({ isError: true })
  await expect(client.callTool({ name: 'format_disk', arguments: {} })).rejects.toThrow(/Tool not found/)
  const { session } = fixture
  const path = `/v1/orgs/${fixture.tenant.id}/agent-sessions/${session.id}/events`
  const { data } = await callAs<{ items: { outcome: string; reason_code: string }[] }>(
    fixture.app,
    fixture.owner,
    ['GET', path],
  )
  expect(data.items.map(({ outcome, reason_code }) => [outcome, reason_code])).toEqual([
    ['error', 'invalid_request'],
    ['rejected', 'chain_not_allowed'],
    ['allowed', null],
  ])
  await client.close()
})

test('only the own agent is served, by POST alone, and every request is whole by itself', async () => {
  const url = `${fixture.at}/mcp`
  const authorization = `Bearer ${fixture.session.token}`
  const ask = (headers: Record<string, string>, body: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    })
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  expect((await ask({ authorization }, list)).status).toBe(200)
  const second = await fixture.newSession((await fixture.newAgent()).id)
  const forbidden = await ask({ authorization: `Bearer ${second.token}` }, list)
  expect(forbidden.status).toBe(403)
  expect(await forbidden.json()).toMatchObject({ error: { code: 'forbidden' } })
  expect((await ask({}, list)).status).toBe(401)
  expect(await (await ask({ authorization }, '{')).json()).toMatchObject({ error: { code: -32700 } })
  for (const method of ['GET', 'DELETE']) {
    const answer = await fetch(url, { method, headers: { authorization, accept: 'text/event-stream' } })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
  }
})

test('a revoked token uses no tool', async () => {
  const session = await fixture.newSession(fixture.agent.id)
  const client = await connected(session.token)
  await fixture.app.call('POST', `/v1/orgs/${fixture.tenant.id}/agent-sessions/${session.id}/revoke`, {
    sk: fixture.tenant.sk,
  })
  await expect(client.callTool({ name: 'get_policy', arguments: {} })).rejects.toThrow()
  await client.close()
})

const toolCall = (id: number, name: string, args: unknown) => ({
  ...policyCall(id),
  params: { name, arguments: args },
})

/** Posts a body, text as it is, and expects that its token is refused with the code. */
async function refusedAs(code: string, authorization: string, body: unknown, at: string): Promise<void> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${at}/mcp`, {
    method: 'POST',
    headers: headersOf({ authorization }),
    body: text,
  })
  expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  expect([answer.status, await answer.json()]).toEqual([
    401,
    { data: null, error: { code, message: expect.any(String) } },
  ])
}

test.each(['revoked', 'expired'] as const)(
  'each try to sign with a token that is %s is an event of its session, and nothing else is',
  async (end) => {
    const { app, tenant, owner, agent } = fixture
    const inAMinute = new Date(Date.now() + 60_000).toISOString()
    const session = await fixture.newSession(agent.id, { expires_at: inAMinute })
    const authorization = `Bearer ${session.token}`
    if (end === 'expired') await stopClock(app, Date.now() + 61_000)
    else
      await app.call('POST', `/v1/orgs/${tenant.id}/agent-sessions/${session.id}/revoke`, { sk: tenant.sk })
    const refused = (body: unknown, at = fixture.at) => refusedAs(`token_${end}`, authorization, body, at)
    const fit = toolCall(1, 'sign_message', { message: 'hello', chain: 'local' })
    try {
      for (const body of [
        { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
        policyCall(1),
        [policyCall(1), toolCall(2, 'format_disk', {})],
        { ...policyCall(1), params: null },
        { jsonrpc: '2.0', method: 'tools/call', params: fit.params },
        { ...fit, method: 'tools/list' },
        Array.from({ length: 61 }, () => fit),
        null,
      ])
        await refused(body)
      await refused('{')
      await refused({ ...fit, padding: 'x'.repeat(300 << 10) })
      await refused(fit, `${app.url}/v1/agents/nobody`)
      expect(await eventsOf(app, owner, session)).toMatchObject({ total: 0 })

      await refused(fit)
      await refused({ ...fit, params: { name: 'sign_message' } })
      const operation = { chain: 'base', calls: [{ to: anyAddress(), value: '1' }] }
      await refused([
        toolCall(1, 'send_transaction', { chain: 'local', to: anyAddress(), value: '1' }),
        policyCall(2),
        toolCall(3, 'send_user_operation', operation),
        toolCall(4, 'send_user_operation', 'as you like'),
      ])
      const { items } = await eventsOf(app, owner, session)
      expect(items.map(({ method, chain }) => [method, chain]).reverse()).toEqual([
        ['signMessage', 'local'],
        [null, null],
        ['sendTransaction', 'local'],
        ['sendTransaction', 'base'],
        [null, null],
      ])
      const event = { session_id: session.id, outcome: 'rejected', reason_code: `session_${end}` }
      for (const item of items) expect(item).toMatchObject(event)
    } finally {
      await startClock(app)
    }
  },
)

test('tries to sign with an ended token take permits as any messages do', async () => {
  const { app, tenant, owner, agent } = fixture
  const session = await fixture.newSession(agent.id)
  await app.call('POST', `/v1/orgs/${tenant.id}/agent-sessions/${session.id}/revoke`, { sk: tenant.sk })
  const batch = Array.from({ length: 60 }, (_, id) => ({
    ...policyCall(id),
    params: { name: 'sign_message', arguments: { message: 'hello', chain: 'local' } },
  }))
  const authorization = `Bearer ${session.token}`
  const statuses = [await post(batch, { authorization }), await post(batch, { authorization })].map(
    ({ status }) => status,
  )
  expect(statuses).toEqual([401, 429])
  expect(await eventsOf(app, owner, session)).toMatchObject({ total: 60 })
})

const headersOf = (more: Record<string, string> = {}) => ({
  authorization: `Bearer ${fixture.session.token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...more,
})
const post = (body: unknown, more: Record<string, string> = {}) =>
  fetch(`${fixture.at}/mcp`, { method: 'POST', headers: headersOf(more), body: JSON.stringify(body) })
const policyCall = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'get_policy', arguments: {} },
})

test('a batch takes as many permits as it has messages', async () => {
  const session = await fixture.newSession(fixture.agent.id)
  const asked = { authorization: `Bearer ${session.token}` }
  const batch = (count: number) =>
    post(
      Array.from({ length: count }, (_, id) => policyCall(id)),
      asked,
    )
  const first = await batch(20)
  expect(first.status).toBe(200)
  const answers = [...(await first.text()).matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) =>
    JSON.parse(json),
  )
  expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, id) => id))
  expect(Number(first.headers.get('ratelimit-remaining'))).toBeLessThanOrEqual(42)
  const tooMany = await batch(60)
  expect(tooMany.status).toBe(429)
  expect(Number(tooMany.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await tooMany.json()).toMatchObject({ error: { code: 'rate_limited' } })
  const tooLong = await post(
    Array.from({ length: 61 }, (_, id) => policyCall(id)),
    { authorization: `Bearer ${(await fixture.newSession(fixture.agent.id)).token}` },
  )
  expect(tooLong.status).toBe(400)
  expect(await tooLong.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } })
})

test('a batch in which two requests have one id is refused whole', async () => {
  const twice = await post([policyCall(1), policyCall(2), policyCall(1)])
  expect(twice.status).toBe(400)
  expect(await twice.json()).toMatchObject({
    id: null,
    error: { code: -32600, message: expect.stringMatching(/same id/) },
  })
  // Texts and numbers are different ids, and notifications have none.
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
  expect((await post([policyCall(1), { ...policyCall(1), id: '1' }, note, note])).status).toBe(200)
})

test('each tool says truthfully what a call of it does', async () => {
  const client = await connected((await fixture.newSession(fixture.agent.id, payable)).token)
  const { tools } = await client.listTools()
  const hints = Object.fromEntries(
    tools.map(({ name, annotations: of }) => [
      name,
      [of?.readOnlyHint, of?.destructiveHint, of?.idempotentHint, of?.openWorldHint],
    ]),
  )
  expect(hints).toEqual({
    get_policy: [true, false, true, false],
    get_balance: [true, false, true, true],
    get_transaction: [true, false, true, true],
    sign_message: [false, false, true, false],
    send_transaction: [false, true, false, true],
    send_user_operation: [false, true, false, true],
    pay: [false, true, false, true],
  })
  await client.close()
})

test('pages of others are refused, those of the platform and of the organization are not', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const evil = await post(list, { origin: 'https://evil.example' })
  expect(evil.status).toBe(403)
  expect(await evil.json()).toMatchObject({ error: { code: 'origin_not_allowed' } })
  expect((await post(list, { origin: ownOrigin })).status).toBe(200)
})

test('a wrong request gets the error code that the protocol has for it', async () => {
  const answerTo = async (body: unknown) => (await post(body)).json()
  const initialize = { jsonrpc: '2.0', id: 7, method: 'initialize', params: { capabilities: {} } }
  const wrong = await answerTo(initialize)
  expect(wrong).toMatchObject({ id: 7, error: { code: -32602 } })
  expect(JSON.stringify(wrong).length).toBeLessThan(200)
  const unknown = { ...policyCall(8), params: { name: 'format_disk', arguments: {} } }
  const answer = await (await post(unknown)).text()
  expect(answer).toMatch(/"code":-32602/)
})

test('a client that accepts any type gets an answer', async () => {
  for (const accept of ['*/*', 'application/*, */*;q=0.1'])
    expect((await post(policyCall(1), { accept })).status, accept).toBe(200)
  expect((await post(policyCall(1), { accept: 'text/plain' })).status).toBe(406)
})
