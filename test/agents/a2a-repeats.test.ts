import { randomUUID } from 'node:crypto'
import { type A2aFixture, a2aFixture, eventually } from '@symbolon/testing/agents'
import { makeWalletFor, startTestApp, type TestApp } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { delegationMint } from './delegation-mint.ts'

let fixture: A2aFixture
/** A second process of the same installation. */
let second: TestApp

beforeAll(async () => {
  fixture = await a2aFixture()
  second = await startTestApp({ installation: fixture.app })
})
afterAll(async () => {
  await second?.stop()
  await fixture?.app.stop()
})

const v10 = { headers: { 'a2a-version': '1.0' } }
const said10 = (text: string, more: object = {}) => ({
  message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more },
})
const said03 = ({ message: { messageId, parts } }: ReturnType<typeof said10>) => ({
  message: {
    kind: 'message',
    messageId,
    role: 'user',
    parts: parts.map((part) => ({ kind: 'text', ...part })),
  },
})
const elsewhere = () => `${second.url}/v1/agents/${fixture.agent.id}`

async function send(params: object, options: { token?: string; at?: string } = {}) {
  const { body } = await fixture.rpc('SendMessage', params, { ...v10, ...options })
  if (body.result === undefined) throw new Error(JSON.stringify(body))
  return body.result.task as { id: string; status: { state: string }; artifacts?: unknown[] }
}
const count = async (): Promise<number> => (await fixture.rpc('ListTasks', {}, v10)).body.result.totalSize

test('the same message again, at once, over two processes and in either generation, is one task', async () => {
  const before = await count()
  const message = said10('say once')
  const tasks = await Promise.all(
    Array.from({ length: 12 }, (_, i) => send(message, i % 2 === 0 ? {} : { at: elsewhere() })),
  )
  const [first] = tasks
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(1)
  expect(tasks.map(({ status }) => status.state)).toEqual(Array(12).fill('TASK_STATE_COMPLETED'))
  const legacy = await fixture.rpc('message/send', said03(message))
  expect(legacy.body.result).toMatchObject({ id: first?.id, status: { state: 'completed' } })
  const streamed = await fixture.rpc('SendStreamingMessage', message, v10)
  expect(streamed.body[0].result.task.id).toBe(first?.id)
  expect(await count()).toBe(before + 1)
})

test('another text, another context, another caller or another agent under the same id is another message', async () => {
  const message = said10('say one')
  const { id } = await send(message)
  const { messageId } = message.message
  const caller = await fixture.newSession(fixture.agent.id)
  const agent = await fixture.newAgent()
  const { token } = await fixture.newSession(agent.id)
  const others = [
    await send(said10('say two', { messageId })),
    await send(said10('say one', { messageId, contextId: 'elsewhere' })),
    await send(message, { token: caller.token }),
    await send(message, { token, at: `${fixture.app.url}/v1/agents/${agent.id}` }),
  ]
  expect(new Set([id, ...others.map((task) => task.id)]).size).toBe(5)
  // Each is known from then on.
  expect((await send(said10('say two', { messageId }))).id).toBe(others[0]?.id)
})

test('an answer that comes again is not the answer to the next question', async () => {
  const first = said10('ask Which?\nask Sure?\nsay done')
  const { id, status } = await send(first)
  expect(status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  const answer = said10('The green one.', { taskId: id })
  const asked = async () =>
    (await fixture.rpc('GetTask', { id }, v10)).body.result.status.message.parts[0].text as string
  expect(await asked()).toBe('Which?')
  const both = await Promise.all([send(answer), send(answer, { at: elsewhere() })])
  expect(both.map((task) => task.status.state)).toEqual(Array(2).fill('TASK_STATE_INPUT_REQUIRED'))
  expect(await asked()).toBe('Sure?')
  await send(answer)
  // The message that it began with does not answer it either.
  expect(await send(first)).toMatchObject({ id, status: { state: 'TASK_STATE_INPUT_REQUIRED' } })
  expect(await asked()).toBe('Sure?')

  expect((await send(said10('The green one.', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED')
  // After the end what was taken is still known, and what is new is refused.
  expect((await send(answer)).status.state).toBe('TASK_STATE_COMPLETED')
  const late = said10('Hello?', { taskId: id })
  for (let i = 0; i < 2; i++)
    expect((await fixture.rpc('SendMessage', late, v10)).body.error.code).toBe(-32004)
})

test('an answer that nobody has asked for yet may come again when somebody has', async () => {
  const { id } = await send({
    ...said10('sleep 700\nask Now?\nsay done'),
    configuration: { returnImmediately: true },
  })
  const answer = said10('Yes.', { taskId: id })
  expect((await fixture.rpc('SendMessage', answer, v10)).body.error.code).toBe(-32004)
  await eventually(async () => {
    const { result } = (await fixture.rpc('GetTask', { id }, v10)).body
    return result.status.state === 'TASK_STATE_INPUT_REQUIRED' ? true : undefined
  })
  expect((await send(answer)).status.state).toBe('TASK_STATE_COMPLETED')
})

test('the first generation has ids of tasks, and its answers none: the same words answer each question', async () => {
  const id = randomUUID()
  const message = (text: string) => ({ id, message: { role: 'user', parts: [{ type: 'text', text }] } })
  const settled = (text: string) =>
    eventually(async () => {
      const { result } = (await fixture.rpc('tasks/get', { id })).body
      return result.status.message?.parts?.[0]?.text === text || result.status.state === text
        ? result
        : undefined
    })
  await fixture.rpc('tasks/send', message('ask One?\nask Two?\nsay done'))
  await settled('One?')
  await fixture.rpc('tasks/send', message('yes'))
  await settled('Two?')
  await fixture.rpc('tasks/send', message('yes'))
  await settled('completed')
})

test('a message that comes again sets its push notifications once', async () => {
  const message = {
    ...said10('ask Who?\nask Where?'),
    configuration: { taskPushNotificationConfig: { url: 'http://127.0.0.1:9/told' } },
  }
  const { id } = await send(message)
  await send(message)
  const configs = async () =>
    (await fixture.rpc('ListTaskPushNotificationConfigs', { taskId: id }, v10)).body.result.configs.length
  expect(await configs()).toBe(1)
  const answer = {
    ...said10('Me.', { taskId: id }),
    configuration: { taskPushNotificationConfig: { url: 'http://127.0.0.1:9/answered' } },
  }
  for (let i = 0; i < 2; i++) await send(answer)
  expect(await configs()).toBe(2)
  // What was lost on the way the first time is made up for.
  await fixture.app.sql`delete from a2a_push_configs where run_id = ${id}`
  await send(message)
  expect(await configs()).toBe(1)
})

test('a message that could start nothing is not taken', async () => {
  const message = said10('say late')
  const agent = await fixture.newAgent()
  const { token } = await fixture.newSession(agent.id)
  const at = `${fixture.app.url}/v1/agents/${agent.id}`
  const bad = { ...message, configuration: { acceptedOutputModes: ['image/png'] } }
  expect((await fixture.rpc('SendMessage', bad, { ...v10, token, at })).body.error.code).toBe(-32005)
  expect((await send(message, { token, at })).status.state).toBe('TASK_STATE_COMPLETED')
})

test('a message that an agent sends for one of its runs is known to that run alone', async () => {
  const { app, tenant, agent } = fixture
  const { id: walletId } = await makeWalletFor(app, tenant)
  const target = await fixture.newAgent({ wallet_id: walletId })
  const mint = delegationMint(app)
  const parents = await Promise.all(
    [1, 2].map((i) =>
      send({ ...said10(`sleep 20000\nsay ${i}`), configuration: { returnImmediately: true } }),
    ),
  )
  const message = said10('say child')
  const at = `${app.url}/v1/agents/${target.id}`
  const child = async (parent: number) => {
    const runId = parents[parent]?.id ?? ''
    const token = await mint({ organizationId: tenant.id, agentId: agent.id, runId, depth: 0 }, target.id)
    return (await send(message, { token, at })).id
  }
  const [first, other, again] = [await child(0), await child(1), await child(0)]
  expect(again).toBe(first)
  expect(other).not.toBe(first)
  const rows =
    await app.sql`select parent_run_id as parent from agent_runs where id in (${first}, ${other}) order by id`
  expect(rows.map(({ parent }) => parent)).toEqual(parents.map(({ id }) => id))
  for (const { id } of parents) await fixture.rpc('CancelTask', { id }, v10)
})

test('an answer of 0.1 that is sent again, as its request was, answers no further question', async () => {
  const id = randomUUID()
  const send = (text: string, rpcId: number) => {
    const params = { id, message: { role: 'user', parts: [{ type: 'text', text }] } }
    return fixture.rpc(
      '',
      {},
      { body: JSON.stringify({ jsonrpc: '2.0', id: rpcId, method: 'tasks/send', params }) },
    )
  }
  const asks = (question: string) =>
    eventually(async () => {
      const { status } = (await fixture.rpc('tasks/get', { id })).body.result
      return status.message?.parts[0].text === question ? true : undefined
    })
  await send('ask First?\nask Second?\nsay ok', 1)
  await asks('First?')
  await send('yes', 2)
  await asks('Second?')
  for (let i = 0; i < 3; i++)
    expect((await send('yes', 2)).body.result.status).toMatchObject({
      state: 'input-required',
      message: { parts: [{ text: 'Second?' }] },
    })
  // Another request with the same words is another answer.
  await send('yes', 3)
  await eventually(async () =>
    (await fixture.rpc('tasks/get', { id })).body.result.status.state === 'completed' ? true : undefined,
  )
})

const sent01 = (id: string, parts: object[], more: object = {}) => ({
  id,
  message: { role: 'user', parts },
  ...more,
})
const text01 = (text: string) => ({ type: 'text', text })
const otherTask = { code: -32004, message: 'This id belongs to another task.' }

test('an id of the first generation names one message: another one under it is refused, the same one is not', async () => {
  const id = randomUUID()
  const call = (chain: string) => ({
    type: 'data',
    data: { tool: 'get_balance', arguments: { token: `0x${'1'.repeat(40)}`, chain } },
  })
  const settled = (task: string) =>
    eventually(async () => {
      const { result } = (await fixture.rpc('tasks/get', { id: task })).body
      return /completed|failed/.test(result.status.state) ? result : undefined
    })
  await fixture.rpc(
    'tasks/send',
    sent01(id, [text01('say paid')], { metadata: { try: 1 }, sessionId: 's-1' }),
  )
  const { metadata } = await settled(id)
  for (const more of [{}, { metadata: { try: 2 } }, { sessionId: 's-2' }])
    expect(
      (await fixture.rpc('tasks/send', sent01(id, [text01('say paid')], more))).body.result,
    ).toMatchObject({
      id,
      metadata,
      status: { state: 'completed' },
    })
  for (const parts of [[text01('say paid again')], [text01('say'), text01('paid')], [call('local')]])
    expect((await fixture.rpc('tasks/send', sent01(id, parts))).body.error).toMatchObject(otherTask)

  // Calls are the same in whatever order their arguments come.
  const called = randomUUID()
  await fixture.rpc('tasks/send', sent01(called, [call('local')]))
  await settled(called)
  const { tool, arguments: args } = call('local').data
  const turned = { arguments: { chain: args.chain, token: args.token }, tool }
  for (const data of [call('local').data, turned])
    expect((await fixture.rpc('tasks/send', sent01(called, [{ type: 'data', data }]))).body.result.id).toBe(
      called,
    )
  expect((await fixture.rpc('tasks/send', sent01(called, [call('base')]))).body.error).toMatchObject(
    otherTask,
  )

  // A task that works on is as good as one that has ended.
  const busy = randomUUID()
  await fixture.rpc('tasks/send', sent01(busy, [text01('sleep 20000\nsay late')]))
  expect((await fixture.rpc('tasks/send', sent01(busy, [text01('say more')]))).body.error).toMatchObject(
    otherTask,
  )
  expect(
    (await fixture.rpc('tasks/send', sent01(busy, [text01('sleep 20000\nsay late')]))).body.result.id,
  ).toBe(busy)
  await fixture.rpc('CancelTask', { id: busy }, v10)
})

test('of two v0.1 messages at once under one id, one is a task and the other gets an error', async () => {
  const id = randomUUID()
  const answers = await Promise.all(
    ['say one', 'say two', 'say one', 'say two'].map((text, i) =>
      fixture.rpc('tasks/send', sent01(id, [text01(text)]), i % 2 === 0 ? {} : { at: elsewhere() }),
    ),
  )
  expect(answers.filter(({ body }) => body.result !== undefined)).toHaveLength(2)
  expect(answers.filter(({ body }) => body.error?.code === -32004)).toHaveLength(2)
})

test('the id of a task of 1.0 names that task in the first generation too', async () => {
  const { id } = await send(said10('say newer'))
  expect((await fixture.rpc('tasks/send', sent01(id, [text01('say else')]))).body.error).toMatchObject(
    otherTask,
  )
  expect((await fixture.rpc('tasks/send', sent01(id, [text01('say newer')]))).body.result).toMatchObject({
    id,
  })
})

test('an answer of the first generation that is sent again after the end answers the task', async () => {
  const id = randomUUID()
  await fixture.rpc('tasks/send', sent01(id, [text01('ask Which?\nsay done')]))
  const state = async (wanted: string) =>
    eventually(async () =>
      (await fixture.rpc('tasks/get', { id })).body.result.status.state === wanted ? true : undefined,
    )
  await state('input-required')
  await fixture.rpc('tasks/send', sent01(id, [text01('the green one')]))
  await state('completed')
  expect((await fixture.rpc('tasks/send', sent01(id, [text01('the green one')]))).body.result.id).toBe(id)
  expect((await fixture.rpc('tasks/send', sent01(id, [text01('the red one')]))).body.error).toMatchObject(
    otherTask,
  )
})
