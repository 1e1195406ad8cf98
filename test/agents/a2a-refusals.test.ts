import { randomUUID } from 'node:crypto'
import { type A2aFixture, a2aFixture, eventsOf, type RpcAnswer } from '@symbolon/testing/agents'
import { callAs } from '@symbolon/testing/app'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let fixture: A2aFixture
let rpc: A2aFixture['rpc']

beforeAll(async () => {
  fixture = await a2aFixture()
})
// A session each: together they ask more often than one token may.
beforeEach(async () => {
  const { token } = await fixture.newSession(fixture.agent.id)
  rpc = (method, params, options = {}) => fixture.rpc(method, params, { token, ...options })
})
afterAll(() => fixture.app.stop())

const url = 'https://example.com/told'
const v10 = { headers: { 'a2a-version': '1.0' } }
const message = (parts: unknown[], more: object = {}) => ({
  messageId: randomUUID(),
  role: 'user',
  parts,
  ...more,
})
const message10 = (parts: unknown[], more: object = {}) => message(parts, { role: 'ROLE_USER', ...more })
const text = { kind: 'text', text: 'say paid' }

async function runsOf({ id }: { id: string }): Promise<number> {
  const rows = await fixture.app.sql`select 1 from agent_runs where session_id = ${id}`
  return rows.length
}

/** One request of a session of its own: it is refused, and nothing has been started. */
async function refusedWhole(method: string, params: unknown): Promise<RpcAnswer['body']> {
  const session = await fixture.newSession(fixture.agent.id)
  const options = { token: session.token, ...(method.startsWith('Send') ? v10 : {}) }
  const { body } = await rpc(method, params, options)
  expect(await runsOf(session)).toBe(0)
  return body
}

describe('a refused request has started nothing', () => {
  const pushIds = ['x'.repeat(256), 'a\0b', 'x'.repeat(300)]

  test.each(pushIds)('a notification of 0.3 by an id that cannot be kept', async (id) => {
    const configuration = { blocking: false, pushNotificationConfig: { id, url } }
    const body = await refusedWhole('message/send', { message: message([text]), configuration })
    expect(body.error.code).toBe(-32602)
  })

  test.each([...pushIds, 7])('a notification of 1.0 by such an id', async (id) => {
    const configuration = { returnImmediately: true, taskPushNotificationConfig: { id, url } }
    const body = await refusedWhole('SendMessage', {
      message: message10([{ text: 'say paid' }]),
      configuration,
    })
    expect(body.error.code).toBe(-32602)
  })

  const call = { tool: 'get_policy', arguments: {} }
  test.each([
    ['null', null],
    ['text', 'x'],
    ['a number', 7],
    ['a list', [1]],
    ['nothing', undefined],
  ])('a part of data that is %s, before 1.0', async (_, data) => {
    const parts = [
      { kind: 'data', data: call },
      { kind: 'data', data },
    ]
    expect((await refusedWhole('message/send', { message: message(parts) })).error.code).toBe(-32602)
    const id = randomUUID()
    expect((await refusedWhole('tasks/send', { id, message: { role: 'user', parts } })).error.code).toBe(
      -32602,
    )
  })

  test('a part of data that hides a null behind the words of 1.0', async () => {
    const hidden = { kind: 'data', data: { value: null }, metadata: { data_part_compat: true } }
    const parts = [{ kind: 'data', data: call }, hidden]
    expect((await refusedWhole('message/send', { message: message(parts) })).error.code).toBe(-32602)
  })

  test.each([
    ['no role', { role: undefined }],
    ['no known role', { role: 'x' }],
    ['the role that is none', { role: 'ROLE_UNSPECIFIED' }],
    ['a number for a role', { role: 7 }],
  ])('a message of 1.0 with %s', async (_, more) => {
    const body = await refusedWhole('SendMessage', { message: message10([{ text: 'say x' }], more) })
    expect(body.error.code).toBe(-32602)
  })

  test('a task where a message belongs', async () => {
    const body = await refusedWhole('message/send', { message: message([text], { kind: 'task' }) })
    expect(body.error.code).toBe(-32602)
  })
})

test('data of any kind that 1.0 lets in is read again in the words of 0.3', async () => {
  for (const data of ['x', 7, [1], true, { a: null }]) {
    const sent = message10([{ text: 'say told' }, { data }])
    const { task } = (await rpc('SendMessage', { message: sent }, v10)).body.result
    expect((await rpc('tasks/get', { id: task.id })).body.result, JSON.stringify(data)).toMatchObject({
      id: task.id,
      status: { state: 'completed' },
    })
  }
})

test('an answer that brings one receiver too many changes nothing: the task still asks', async () => {
  const asked = (await rpc('SendMessage', { message: message10([{ text: 'ask Well?\nsay ok' }]) }, v10)).body
  const { id: taskId } = asked.result.task
  for (let i = 0; i < 8; i++) await rpc('CreateTaskPushNotificationConfig', { taskId, id: `c${i}`, url }, v10)
  const answer = (config: object) =>
    rpc(
      'SendMessage',
      {
        message: message10([{ text: 'Well.' }], { taskId }),
        configuration: { taskPushNotificationConfig: config },
      },
      v10,
    )
  expect((await answer({ id: 'ninth', url })).body.error.code).toBe(-32602)
  expect((await rpc('GetTask', { id: taskId }, v10)).body.result.status.state).toBe(
    'TASK_STATE_INPUT_REQUIRED',
  )
  expect((await answer({ id: 'c7', url })).body.result.task.status.state).toBe('TASK_STATE_COMPLETED')
})

test('an answer in another context than the task is refused: the task still asks', async () => {
  const asked = (await rpc('SendMessage', { message: message10([{ text: 'ask Well?\nsay ok' }]) }, v10)).body
  const { id: taskId, contextId } = asked.result.task
  const answer = (context: string) =>
    rpc('SendMessage', { message: message10([{ text: 'Well.' }], { taskId, contextId: context }) }, v10)
  expect((await answer('another')).body.error.code).toBe(-32602)
  expect((await answer(contextId)).body.result.task.status.state).toBe('TASK_STATE_COMPLETED')
})

describe('tasks/resubscribe answers a stream whatever there is to say', () => {
  test.each([
    ['wrong parameters', -32602, {}, {}],
    ['another version', -32009, { id: 'x' }, { 'a2a-version': '7' }],
    ['no such task', -32001, { id: 'x' }, {}],
  ])('that refuses %s', async (_, code, params, headers) => {
    const answer = await rpc('tasks/resubscribe', params, { headers })
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(answer.body).toMatchObject([{ jsonrpc: '2.0', id: expect.any(Number), error: { code } }])
  })
})

test('the parameters of a list are read strictly, and may be left out', async () => {
  const list = (params: unknown) => rpc('ListTasks', params, v10)
  expect((await list(undefined)).body.result).toMatchObject({ pageSize: 50, nextPageToken: '' })
  for (const status of ['nope', 99, -1, 1.5, {}])
    expect((await list({ status })).body.error?.code, String(status)).toBe(-32602)
  for (const status of ['TASK_STATE_REJECTED', 'TASK_STATE_UNSPECIFIED', 3, undefined])
    expect((await list({ status })).body.error, String(status)).toBe(undefined)
  for (const statusTimestampAfter of [5, '5', 'yesterday', '2026-01-01'])
    expect((await list({ statusTimestampAfter })).body.error?.code, String(statusTimestampAfter)).toBe(-32602)
  for (const statusTimestampAfter of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123456+02:00'])
    expect((await list({ statusTimestampAfter })).body.error, statusTimestampAfter).toBe(undefined)
})

test('an id may be any text and any number, and comes back as it was', async () => {
  for (const id of [1.5, -3, 0, '', 'x'.repeat(5000), 2 ** 60]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tasks/get', params: { id: 'nobody' } })
    expect((await rpc('', {}, { body })).body).toMatchObject({ id, error: { code: -32001 } })
  }
  for (const id of [true, {}, [1], null, undefined]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tasks/get', params: { id: 'nobody' } })
    expect((await rpc('', {}, { body })).body).toMatchObject({ id: null, error: { code: -32600 } })
  }
})

test.each(['text/plain', 'application/json, text/plain', '', ' ', 'application/jsonx', 'x'])(
  'the content type "%s" is -32005',
  async (type) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'nobody' } })
    const answer = await rpc('', {}, { body, headers: { 'content-type': type } })
    expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status: 200, code: -32005 })
  },
)

test('a canceled task cannot be canceled again before 1.0, but can in 1.0', async () => {
  const params = { message: message10([{ text: 'sleep 20000' }]), configuration: { returnImmediately: true } }
  const { id } = (await rpc('SendMessage', params, v10)).body.result.task
  expect((await rpc('tasks/cancel', { id })).body.result.status.state).toBe('canceled')
  expect((await rpc('tasks/cancel', { id })).body.error?.code).toBe(-32002)
  expect((await rpc('CancelTask', { id }, v10)).body.result.status.state).toBe('TASK_STATE_CANCELED')
})

describe('a text that cannot be kept as it is', () => {
  const texts = ['a\0b', 'half \ud800']
  const call = (text: string) => ({ tool: 'sign_message', arguments: { message: text, chain: 'local' } })

  test.each(texts)('is refused where it comes in: %j', async (bad) => {
    const said = { kind: 'text', text: `sign message ${bad}` }
    expect((await refusedWhole('message/send', { message: message([said]) })).error.code).toBe(-32602)
    for (const data of [call(bad), { [bad]: 1 }, { deep: [{ bad }] }])
      expect((await refusedWhole('SendMessage', { message: message10([{ data }]) })).error.code).toBe(-32602)
    const asked = (await rpc('SendMessage', { message: message10([{ text: 'ask Well?' }]) }, v10)).body
    const { id: taskId } = asked.result.task
    const answer = await rpc('SendMessage', { message: message10([{ text: bad }], { taskId }) }, v10)
    expect(answer.body.error.code).toBe(-32602)
  })

  test.each(texts)('is signed as nothing else where it hides in the text of a call: %j', async (bad) => {
    const agent = await fixture.newAgent({ runner: 'intent' })
    const session = await fixture.newSession(agent.id)
    const at = `${fixture.app.url}/v1/agents/${agent.id}`
    const sent = message10([{ text: JSON.stringify(call(bad)) }])
    const options = { ...v10, token: session.token, at }
    const { task } = (await rpc('SendMessage', { message: sent }, options)).body.result
    expect(task.status).toMatchObject({ state: 'TASK_STATE_FAILED' })
    expect(JSON.stringify(task.status)).toMatch(/invalid_arguments/)
    expect(await eventsOf(fixture.app, fixture.owner, session)).toMatchObject({ total: 0 })
  })
})

test('the version may be named in the address, and the header goes first (1.0, section 3.6.1)', async () => {
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${fixture.at}/a2a${query}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${fixture.session.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'nobody' } }),
    })
    return ((await response.json()) as { error: { code: number } }).error.code
  }
  expect(await ask('?A2A-Version=9')).toBe(-32009)
  expect(await ask('?A2A-Version=1.0')).toBe(-32001)
  expect(await ask('?A2A-Version=9', { 'a2a-version': '1.0' })).toBe(-32001)
  const card = await fetch(`${fixture.at}/.well-known/agent-card.json?A2A-Version=1.0`)
  expect(await card.json()).not.toHaveProperty('endpoint_url')
})

test('JSON that is not taken says why, and is not called broken JSON', async () => {
  const sent = (value: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":${value}}]}}}`
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`
  for (const [value, code, words] of [
    ['{"__proto__":{"a":1}}', -32600, /__proto__/],
    ['{"constructor":1}', -32600, /constructor/],
    [deep, -32600, /deeper than 32 levels/],
    ['{"a":}', -32700, /not valid JSON/],
    ['['.repeat(40), -32700, /not valid JSON/],
  ] as const)
    for (const place of ['a2a', 'mcp']) {
      const response = await fetch(`${fixture.at}/${place}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${fixture.session.token}`,
          'content-type': 'application/json',
          ...v10.headers,
        },
        body: sent(value),
      })
      const { id, error } = (await response.json()) as RpcAnswer['body']
      expect({ id, code: error.code, message: error.message }, `${place} ${value}`).toEqual({
        id: null,
        code,
        message: expect.stringMatching(words),
      })
    }
})

test('a kind of result is known in any case, with parameters, and before 1.0 by its short name', async () => {
  const accepted = async (method: string, acceptedOutputModes: string[]) => {
    const sent = method === 'SendMessage' ? message10([{ text: 'say x' }]) : message([text])
    const options = method === 'SendMessage' ? v10 : {}
    const { body } = await rpc(method, { message: sent, configuration: { acceptedOutputModes } }, options)
    return body.error?.code
  }
  for (const method of ['SendMessage', 'message/send']) {
    for (const mode of ['TEXT/PLAIN', 'text/plain; charset=utf-8', 'Application/JSON ;q=1', 'text/plain'])
      expect(await accepted(method, ['image/png', mode]), `${method} ${mode}`).toBe(undefined)
    for (const mode of ['image/png', 'text/html', 'file', ''])
      expect(await accepted(method, [mode]), `${method} ${mode}`).toBe(-32005)
  }
  for (const mode of ['text', 'data']) {
    expect(await accepted('message/send', [mode])).toBe(undefined)
    expect(await accepted('SendMessage', [mode])).toBe(-32005)
  }
})

test('two skills of an agent cannot have one id', async () => {
  const skill = { id: 's1', name: 'Skill', description: 'd' }
  const skills = [skill, { ...skill, id: 's2' }, { ...skill, name: 'Other' }]
  const path = `/v1/orgs/${fixture.tenant.id}/agents`
  const body = { name: 'Twice', wallet_id: fixture.walletId, skills }
  for (const call of [
    ['POST', path, body],
    ['PATCH', `${path}/${fixture.agent.id}`, { skills }],
  ] as const) {
    const { status, error } = await callAs(fixture.app, fixture.owner, call)
    expect({ status, error }).toMatchObject({
      status: 400,
      error: {
        code: 'invalid_request',
        details: {
          issues: [{ path: ['skills', 2, 'id'], message: '`skills[2].id` is the id of another skill too' }],
        },
      },
    })
  }
})

test('the words beside a call are kept in the objective, and with it in an answer', async () => {
  const call = { tool: 'get_policy', arguments: {} }
  const sent = message10([{ text: 'please look' }, { data: call }])
  const { task } = (await rpc('SendMessage', { message: sent, configuration: { historyLength: 5 } }, v10))
    .body.result
  const [row] = await fixture.app.sql`select objective, input from agent_runs where id = ${task.id}`
  expect(row).toMatchObject({ objective: `please look\n${JSON.stringify(call)}`, input: { call } })
  expect(task.history[0].parts).toMatchObject([{ text: 'please look' }, { data: call }])
  const asked = (await rpc('SendMessage', { message: message10([{ text: 'ask Well?' }]) }, v10)).body.result
    .task
  const answer = message10([{ text: 'like this' }, { data: call }], { taskId: asked.id })
  await rpc('SendMessage', { message: answer }, v10)
  const read = (await rpc('GetTask', { id: asked.id }, v10)).body.result
  expect(read.history.at(-1).parts[0].text).toBe(`like this\n${JSON.stringify(call)}`)
})
