import { type A2aFixture, a2aFixture, eventually } from '@symbolon/testing/agents'
import { callAs } from '@symbolon/testing/app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let fixture: A2aFixture
let rpc: A2aFixture['rpc']

beforeAll(async () => {
  fixture = await a2aFixture()
  rpc = fixture.rpc
})
afterAll(() => fixture.app.stop())

const sent = (id: string, text: string) => ({
  id,
  message: { role: 'user', parts: [{ type: 'text', text }] },
})
const said = (text: string, more: object = {}) => ({
  message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text }], ...more },
})
const said10 = (text: string, more: object = {}) => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }], ...more },
})
const v10 = { headers: { 'a2a-version': '1.0' } }

describe('A2A 0.1', () => {
  test('a task that its caller named does not make it wait, and ends with its result in both spellings', async () => {
    const first = await rpc('tasks/send', sent('job-1', 'sleep 1000\nsay done'))
    expect(first.status).toBe(200)
    expect(first.body.result).toMatchObject({ id: 'job-1', kind: 'task' })
    expect(['submitted', 'working']).toContain(first.body.result.status.state)
    const done = await eventually(async () => {
      const { result } = (await rpc('tasks/get', { id: 'job-1' })).body
      return result.status.state === 'completed' ? result : undefined
    })
    expect(done.sessionId).toBe(done.contextId)
    expect(done.artifacts[0]).toMatchObject({ index: 0, artifactId: expect.any(String) })
    expect(done.artifacts[0].parts[0]).toMatchObject({
      type: 'text',
      kind: 'text',
      text: expect.stringContaining('done'),
    })
    expect(done.history[0]).toMatchObject({
      role: 'user',
      parts: [{ type: 'text', kind: 'text', text: 'sleep 1000\nsay done' }],
    })
  })

  test('the same message again is the same task, however often and at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => rpc('tasks/send', sent('job-2', 'say once'))),
    )
    expect(new Set(answers.map(({ body }) => body.result.metadata.run_id)).size).toBe(1)
    const rows = await fixture.app.sql`select 1 from agent_runs where caller_key = 'job-2'`
    expect(rows.length).toBe(1)
  })

  test('a stream that ends at a question says that this was its last event', async () => {
    const message = {
      kind: 'message',
      messageId: 'q',
      role: 'user',
      parts: [{ kind: 'text', text: 'ask Which?' }],
    }
    const { body } = await rpc('message/stream', { message })
    expect(body.at(-1).result).toMatchObject({ final: true, status: { state: 'input-required' } })
    expect(body.slice(1, -1).every(({ result }: { result: { final?: boolean } }) => !result.final)).toBe(true)
  })

  test('a task that waits for its caller is canceled with the revoke of the session, its key gone', async () => {
    const { app, tenant, agent } = fixture
    const session = await fixture.newSession(agent.id)
    await rpc('tasks/send', sent('job-ended', 'ask Which one?'), { token: session.token })
    const runs = () =>
      app.sql`select state, token_key_sealed is null as forgotten from agent_runs where session_id = ${session.id}`
    await eventually(async () => ((await runs())[0]?.['state'] === 'awaiting_input' ? true : undefined))
    const path = `/v1/orgs/${tenant.id}/agent-sessions/${session.id}/revoke`
    expect((await app.call('POST', path, { sk: tenant.sk })).status).toBe(200)
    expect(await runs()).toMatchObject([{ state: 'canceled', forgotten: true }])
  })

  test('a question of a task is answered under its id, once', async () => {
    await rpc('tasks/send', sent('job-3', 'ask Which one?\nsay thanks'))
    const asked = await eventually(async () => {
      const { result } = (await rpc('tasks/get', { id: 'job-3' })).body
      return result.status.state === 'input-required' ? result : undefined
    })
    expect(asked.status.message.parts[0].text).toBe('Which one?')
    // The first message again answers nothing.
    const repeated = await rpc('tasks/send', sent('job-3', 'ask Which one?\nsay thanks'))
    expect(repeated.body.result.status.state).toBe('input-required')
    await rpc('tasks/send', sent('job-3', 'The red one.'))
    const done = await eventually(async () => {
      const { result } = (await rpc('tasks/get', { id: 'job-3' })).body
      return result.status.state === 'completed' ? result : undefined
    })
    const texts = done.history.map(({ role, parts }: { role: string; parts: { text: string }[] }) => [
      role,
      parts[0]?.text,
    ])
    expect(texts).toEqual([
      ['user', 'ask Which one?\nsay thanks'],
      ['agent', 'Which one?'],
      ['user', 'The red one.'],
    ])
  })

  test('a part of data calls one tool', async () => {
    const data = { tool: 'get_policy', arguments: {} }
    await rpc('tasks/send', { id: 'job-4', message: { role: 'user', parts: [{ type: 'data', data }] } })
    const done = await eventually(async () => {
      const { result } = (await rpc('tasks/get', { id: 'job-4' })).body
      return ['completed', 'failed'].includes(result.status.state) ? result : undefined
    })
    expect(done.status.state).toBe('completed')
    expect(done.artifacts[0].parts[1]).toMatchObject({ kind: 'data', type: 'data' })
  })
})

test('a blocking message of 0.3 waits for its end, and a failure says why', async () => {
  const done = await rpc('message/send', said('sleep 200\nsay here'))
  expect(done.body.result).toMatchObject({ kind: 'task', status: { state: 'completed' } })
  const failed = await rpc('message/send', said('fail no_way'))
  expect(failed.body.result.status).toMatchObject({
    state: 'failed',
    message: { parts: [{ text: 'no_way' }] },
  })
  const early = await rpc('message/send', {
    ...said('sleep 1000\nsay x'),
    configuration: { blocking: false },
  })
  expect(['submitted', 'working']).toContain(early.body.result.status.state)
})

test('a stream sends the task, each state and the artifacts, and ends', async () => {
  const { headers, body } = await rpc('message/stream', said('sleep 1000\nsay done'))
  expect(headers.get('content-type')).toBe('text/event-stream')
  const kinds = body.map(({ result }: { result: { kind: string } }) => result.kind)
  expect(kinds[0]).toBe('task')
  expect(kinds.slice(-2)).toEqual(['artifact-update', 'status-update'])
  expect(body.at(-1).result).toMatchObject({ final: true, status: { state: 'completed' } })
})

test('a task of one generation is read in the words of another', async () => {
  const { task } = (await rpc('SendMessage', said10('say both'), v10)).body.result
  expect(task.status.state).toBe('TASK_STATE_COMPLETED')
  expect((await rpc('tasks/get', { id: task.id })).body.result).toMatchObject({ kind: 'task', id: task.id })
  await rpc('tasks/send', sent('job-old', 'say old'))
  expect((await rpc('GetTask', { id: 'job-old' }, v10)).body.result).toMatchObject({ id: 'job-old' })
})

test('lists come in pages by filters, and only the own tasks are counted', async () => {
  const session = await fixture.newSession(fixture.agent.id)
  const token = { token: session.token, ...v10 }
  for (const name of ['a', 'b', 'c'])
    await rpc(
      'SendMessage',
      { ...said10(`say ${name}`, { contextId: name === 'c' ? 'other' : 'one' }) },
      token,
    )
  const first = (await rpc('ListTasks', { pageSize: 2 }, token)).body.result
  expect(first).toMatchObject({ totalSize: 3, pageSize: 2 })
  expect(first.tasks.map(({ artifacts }: { artifacts?: unknown[] }) => artifacts)).toEqual([
    undefined,
    undefined,
  ])
  const rest = (
    await rpc('ListTasks', { pageSize: 2, pageToken: first.nextPageToken, includeArtifacts: true }, token)
  ).body.result
  expect(rest.tasks.length).toBe(1)
  expect(rest.tasks[0].artifacts.length).toBe(1)
  expect(rest.nextPageToken).toBe('')
  const ids = [...first.tasks, ...rest.tasks].map(({ id }: { id: string }) => id)
  expect(new Set(ids).size).toBe(3)
  expect((await rpc('ListTasks', { contextId: 'one' }, token)).body.result.totalSize).toBe(2)
  expect((await rpc('ListTasks', { status: 'TASK_STATE_WORKING' }, token)).body.result.totalSize).toBe(0)
  expect((await rpc('ListTasks', { pageSize: 101 }, token)).body.error.code).toBe(-32602)
  expect((await rpc('ListTasks', { pageToken: 'nonsense' }, token)).body.error.code).toBe(-32602)
})

test('a cancelled task stays cancelled, and what has ended cannot be', async () => {
  const { task } = (
    await rpc('SendMessage', { ...said10('sleep 20000'), configuration: { returnImmediately: true } }, v10)
  ).body.result
  expect((await rpc('CancelTask', { id: task.id }, v10)).body.result.status.state).toBe('TASK_STATE_CANCELED')
  expect((await rpc('CancelTask', { id: task.id }, v10)).body.result.status.state).toBe('TASK_STATE_CANCELED')
  expect((await rpc('tasks/cancel', { id: task.id })).body.error.code).toBe(-32002)
  const done = (await rpc('SendMessage', said10('say done'), v10)).body.result.task
  expect((await rpc('CancelTask', { id: done.id }, v10)).body.error.code).toBe(-32002)
  expect((await rpc('SubscribeToTask', { id: done.id }, v10)).body.error.code).toBe(-32004)
  expect((await rpc('SendMessage', said10('more', { taskId: done.id }), v10)).body.error.code).toBe(-32004)
})

test('a new subscription gets the rest, always as a stream', async () => {
  await rpc('tasks/send', sent('job-r', 'sleep 600\nsay late'))
  const { headers, body } = await rpc('tasks/resubscribe', { id: 'job-r' })
  expect(headers.get('content-type')).toBe('text/event-stream')
  expect(body[0].result).toMatchObject({ kind: 'task', id: 'job-r' })
  expect(body.at(-1).result).toMatchObject({
    kind: 'status-update',
    status: { state: 'completed' },
    final: true,
  })
  const tooLate = (await rpc('tasks/resubscribe', { id: 'job-r' })).body
  expect(tooLate.at(-1).result).toMatchObject({ status: { state: 'completed' }, final: true })
  const refused = await rpc('tasks/resubscribe', { id: 'nobody' })
  expect(refused.headers.get('content-type')).toBe('text/event-stream')
  expect(refused.body[0].error.code).toBe(-32001)
})

describe('errors', () => {
  const v99 = { headers: { 'a2a-version': '9.9' } }
  const refusals: [string, number, () => ReturnType<A2aFixture['rpc']>][] = [
    ['no JSON', -32700, () => rpc('', {}, { body: '{' })],
    ['nothing', -32700, () => rpc('', {}, { body: ' ' })],
    ['a batch', -32600, () => rpc('', {}, { body: '[]' })],
    [
      'another JSON-RPC',
      -32600,
      () => rpc('', {}, { body: '{"jsonrpc":"1.0","id":1,"method":"tasks/get"}' }),
    ],
    ['no id', -32600, () => rpc('', {}, { body: '{"jsonrpc":"2.0","method":"tasks/get"}' })],
    ['no such method', -32601, () => rpc('tasks/nothing', {})],
    ['a method that every object has', -32601, () => rpc('constructor', {})],
    ['no parameters', -32602, () => rpc('tasks/get', undefined)],
    [
      'a message without parts',
      -32602,
      () => rpc('tasks/send', { id: 'x', message: { role: 'user', parts: [] } }),
    ],
    ['a message that says nothing', -32602, () => rpc('message/send', said(' '))],
    [
      'two calls',
      -32602,
      () =>
        rpc(
          'SendMessage',
          { message: { ...said10('').message, parts: [{ data: { tool: 'a' } }, { data: { tool: 'b' } }] } },
          v10,
        ),
    ],
    ['no such task', -32001, () => rpc('GetTask', { id: 'nobody' }, v10)],
    [
      'a file',
      -32005,
      () =>
        rpc('message/send', {
          message: { ...said('').message, parts: [{ kind: 'file', file: { uri: 'https://example.com/x' } }] },
        }),
    ],
    [
      'results of a kind that there is not',
      -32005,
      () => rpc('message/send', { ...said('say x'), configuration: { acceptedOutputModes: ['image/png'] } }),
    ],
    [
      'another content type',
      -32005,
      () => rpc('tasks/get', { id: 'x' }, { headers: { 'content-type': 'text/plain' } }),
    ],
    ['another version', -32009, () => rpc('GetTask', { id: 'x' }, v99)],
    [
      'an address that may not be called',
      -32602,
      () =>
        rpc('tasks/pushNotificationConfig/set', {
          taskId: 'job-1',
          pushNotificationConfig: { url: 'http://10.0.0.1/' },
        }),
    ],
  ]
  test.each(refusals)('%s is %i, as raw JSON', async (_, code, call) => {
    const { status, body, headers } = await call()
    expect({ status, code: body.error?.code, jsonrpc: body.jsonrpc }).toEqual({
      status: 200,
      code,
      jsonrpc: '2.0',
    })
    expect(Object.keys(body).sort()).toEqual(['error', 'id', 'jsonrpc'])
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  })

  test('the version is 0.3 where none is named, and patches do not matter', async () => {
    for (const version of ['', '0.3', '0.3.0', '1.0', '1.0.1', '0.2.5'])
      expect(
        (await rpc('tasks/get', { id: 'nobody' }, { headers: { 'a2a-version': version } })).body.error.code,
      ).toBe(-32001)
  })
})

describe('sessions reach only their own tasks and agents', () => {
  test("another session's task is not there, not even to the same agent's", async () => {
    const other = await fixture.newSession(fixture.agent.id)
    await rpc('tasks/send', sent('mine', 'ask Well?'))
    const run = (await rpc('tasks/get', { id: 'mine' })).body.result.metadata.run_id
    for (const id of ['mine', run]) {
      const as = { token: other.token }
      expect((await rpc('tasks/get', { id }, as)).body.error.code).toBe(-32001)
      expect((await rpc('tasks/cancel', { id }, as)).body.error.code).toBe(-32001)
      expect((await rpc('message/send', said('hi', { taskId: id }), as)).body.error.code).toBe(-32001)
      expect((await rpc('tasks/pushNotificationConfig/list', { id }, as)).body.error.code).toBe(-32001)
    }
    expect((await rpc('ListTasks', {}, { token: other.token, ...v10 })).body.result.totalSize).toBe(0)
    // The same id is another task to them.
    const theirs = await rpc('tasks/send', sent('mine', 'say theirs'), { token: other.token })
    expect(theirs.body.result.metadata.run_id).not.toBe(run)
  })

  test('a session that is not bound to the agent is forbidden, an unknown agent is not found', async () => {
    const second = await fixture.newAgent()
    const elsewhere = await a2aFixture({ app: fixture.app })
    const at = `${fixture.app.url}/v1/agents/${second.id}`
    expect(await rpc('tasks/get', { id: 'x' }, { at })).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    })
    expect(await rpc('tasks/get', { id: 'x' }, { at: elsewhere.at })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    })
    expect(await rpc('tasks/get', { id: 'x' }, { token: 'as_live_nobody' })).toMatchObject({ status: 401 })
    const session = await fixture.newSession(second.id)
    await callAs(fixture.app, fixture.owner, [
      'POST',
      `/v1/orgs/${fixture.tenant.id}/agents/${second.id}/archive`,
    ])
    expect((await rpc('tasks/get', { id: 'x' }, { at, token: session.token })).status).toBe(401)
    expect((await rpc('tasks/get', { id: 'x' }, { at })).status).toBe(404)
  })
})

describe('the card', () => {
  const card = async (name: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${fixture.at}/.well-known/${name}`, { headers })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }

  test('is public, at both places', async () => {
    for (const name of ['agent-card.json', 'agent.json']) {
      const { status, headers, body } = await card(name)
      expect(status).toBe(200)
      const url = `https://wallet.example.test/v1/agents/${fixture.agent.id}/a2a`
      expect(body).toMatchObject({
        id: fixture.agent.id,
        name: fixture.agent.name,
        description: 'Follows its script.',
        endpoint_url: url,
        url,
        preferredTransport: 'JSONRPC',
        protocolVersion: '0.3.0',
        capabilities: { streaming: true, pushNotifications: true },
        security: [{ bearer: ['agent'] }],
      })
      expect(
        body.supportedInterfaces.map((each: { protocolVersion: string }) => each.protocolVersion),
      ).toEqual(['1.0', '0.3'])
      expect(body.skills.length).toBeGreaterThan(0)
      expect(headers.get('vary')).toBe('A2A-Version')
      expect(headers.get('cache-control')).toBe('public, max-age=60')
    }
  })

  test('is strictly of 1.0 for whoever asks so, and never mixed up with the other in a cache', async () => {
    const [hybrid, strict] = [
      await card('agent-card.json'),
      await card('agent-card.json', { 'a2a-version': '1.0' }),
    ]
    for (const name of ['id', 'endpoint_url', 'url', 'protocolVersion', 'security'])
      expect(strict.body[name]).toBe(undefined)
    expect(strict.body.securitySchemes.bearer.httpAuthSecurityScheme.scheme).toBe('bearer')
    expect(strict.headers.get('etag')).not.toBe(hybrid.headers.get('etag'))
  })

  test('is not sent twice to who has it, and gone with the agent', async () => {
    const etag = (await card('agent-card.json')).headers.get('etag') ?? ''
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*'])
      expect(await card('agent-card.json', { 'if-none-match': condition })).toMatchObject({
        status: 304,
        body: undefined,
      })
    expect((await card('agent-card.json', { 'if-none-match': '"x"' })).status).toBe(200)
    const gone = await fixture.newAgent()
    await callAs(fixture.app, fixture.owner, [
      'POST',
      `/v1/orgs/${fixture.tenant.id}/agents/${gone.id}/archive`,
    ])
    const answer = await fixture.app.call('GET', `/v1/agents/${gone.id}/.well-known/agent-card.json`)
    expect(answer).toMatchObject({ status: 404, error: { code: 'not_found' } })
  })
})
