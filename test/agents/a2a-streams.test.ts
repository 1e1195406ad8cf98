import { randomUUID } from 'node:crypto'
import { type A2aFixture, a2aFixture, eventsIn, eventually, mintSession } from '@symbolon/testing/agents'
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

const said = (text: string, more: object = {}) => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }], ...more },
})

/** Opens a stream of a process; `until` resolves once `isThere` holds for its events, `rest` with all of them. */
async function open(
  method: string,
  params: object,
  { url }: { url: string } = fixture.app,
  signal?: AbortSignal,
) {
  const response = await fetch(`${url}/v1/agents/${fixture.agent.id}/a2a`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.session.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    ...(signal && { signal }),
  })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  const read = async () => {
    const { done, value } = await reader.read()
    text += decoder.decode(value, { stream: true })
    return done
  }
  await read()
  return {
    id: (eventsIn(text)[0] as { result: { task: { id: string } } }).result.task.id,
    async until(isThere: (events: StreamEvent[]) => boolean) {
      // What came last may be half a line.
      while (!isThere(eventsIn(text.slice(0, text.lastIndexOf('\n'))) as StreamEvent[]))
        if (await read()) throw new Error(`The stream ended before: ${text}`)
    },
    async rest() {
      while (!(await read()));
      return eventsIn(text) as StreamEvent[]
    },
  }
}

type StreamEvent = { result: { statusUpdate?: { status: { state: string } } } }

const lastState = (events: StreamEvent[]) => events.at(-1)?.result.statusUpdate?.status.state

test('a stream outlives the limit of other answers', async () => {
  const { rest } = await open('SendStreamingMessage', said('sleep 5800\nsay late'))
  expect(lastState(await rest())).toBe('TASK_STATE_COMPLETED')
  expect(fixture.app.log.lines.filter((line) => line.startsWith('answered with a failure'))).toEqual([])
}, 20_000)

test('a subscriber at another process gets the same, and may answer there', async () => {
  const { id, rest } = await open('SendStreamingMessage', said('sleep 1000\nask Sure?\nsay good'))
  const elsewhere = await open('SubscribeToTask', { id }, second)
  expect(lastState(await rest())).toBe('TASK_STATE_INPUT_REQUIRED')
  const answered = await open('SendStreamingMessage', said('Yes.', { taskId: id }), second)
  expect(answered.id).toBe(id)
  expect(lastState(await answered.rest())).toBe('TASK_STATE_COMPLETED')
  expect(lastState(await elsewhere.rest())).toBe('TASK_STATE_COMPLETED')
})

test('a subscription of 1.0 goes on where the task asks, until it has ended', async () => {
  const v10 = { headers: { 'a2a-version': '1.0' } }
  const said = (text: string, more: object = {}) => ({
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more },
  })
  const { task } = (await fixture.rpc('SendMessage', said('ask Well?\nask Sure?\nsay ok'), v10)).body.result
  expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  const stream = await open('SubscribeToTask', { id: task.id })
  await fixture.rpc('SendMessage', said('Well.', { taskId: task.id }), v10)
  // A stream shows the state as it is when it looks: answered at once, the second question could pass unseen.
  await stream.until((events) => lastState(events) === 'TASK_STATE_INPUT_REQUIRED')
  await fixture.rpc('SendMessage', said('Sure.', { taskId: task.id }), v10)
  const [first, ...rest] = (await stream.rest()).map(({ result }) => result)
  expect(first).toMatchObject({ task: { id: task.id, status: { state: 'TASK_STATE_INPUT_REQUIRED' } } })
  const states = rest.flatMap(({ statusUpdate }) => statusUpdate?.status.state ?? [])
  expect(states).toContain('TASK_STATE_INPUT_REQUIRED')
  expect(states.at(-1)).toBe('TASK_STATE_COMPLETED')
  expect(states[0]).not.toBe('TASK_STATE_INPUT_REQUIRED')
})

test('a stream ends with its client, and the task goes on', async () => {
  const controller = new AbortController()
  const { id } = await open(
    'SendStreamingMessage',
    said('sleep 1500\nsay alone'),
    fixture.app,
    controller.signal,
  )
  controller.abort()
  const done = await eventually(async () => {
    const { result } = (await fixture.rpc('GetTask', { id }, { headers: { 'a2a-version': '1.0' } })).body
    return result.status.state === 'TASK_STATE_COMPLETED' ? result : undefined
  })
  expect(done.artifacts.length).toBe(1)
  expect(
    fixture.app.log.lines.filter((line) => /^(answered with a failure|a stream of a task)/.test(line)),
  ).toEqual([])
})

test('a server that closes ends its streams at once', async () => {
  const third = await startTestApp({ installation: fixture.app })
  const { id, rest } = await open('SendStreamingMessage', said('sleep 20000\nsay never'), third)
  const ended = rest()
  const begunAt = performance.now()
  await third.stop()
  expect(performance.now() - begunAt).toBeLessThan(5_000)
  const events = await ended
  expect(lastState(events)).not.toBe('TASK_STATE_COMPLETED')
  await fixture.rpc('CancelTask', { id }, { headers: { 'a2a-version': '1.0' } })
}, 15_000)

test('one caller holds so many streams of a process and no more; others, and other processes, have their own', async () => {
  const { agent, app, newSession } = fixture
  const session = await newSession(agent.id)
  const v10 = { headers: { 'a2a-version': '1.0' }, token: session.token }
  const begun = await fixture.rpc(
    'SendMessage',
    { ...said('sleep 20000'), configuration: { returnImmediately: true } },
    v10,
  )
  const { id } = begun.body.result.task
  const ask = async (method: string, params: object, { url }: { url: string } = app) => {
    const controller = new AbortController()
    const response = await fetch(`${url}/v1/agents/${agent.id}/a2a`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: controller.signal,
    })
    return { response, status: response.status, hangUp: () => controller.abort() }
  }
  const ways = ['SubscribeToTask', 'tasks/resubscribe'] as const
  const open = await Promise.all(Array.from({ length: 32 }, (_, i) => ask(ways[i % 2] ?? '', { id })))
  expect(open.filter(({ status }) => status !== 200)).toEqual([])

  const refused = [
    await ask('SubscribeToTask', { id }),
    await ask('tasks/resubscribe', { id }),
    await ask('SendStreamingMessage', said('say no')),
    await ask('message/stream', {
      message: { kind: 'message', messageId: 'n', role: 'user', parts: [{ kind: 'text', text: 'say no' }] },
    }),
  ]
  for (const { response } of refused) {
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toMatchObject({ data: null, error: { code: 'rate_limited' } })
  }
  // None of them has begun a task, and other requests are answered.
  expect((await fixture.rpc('ListTasks', {}, v10)).body.result.totalSize).toBe(1)
  const elsewhere = await ask('SubscribeToTask', { id }, second)
  expect(elsewhere.status).toBe(200)
  const another = await newSession(agent.id)
  const theirs = await fixture.rpc('SendStreamingMessage', said('say mine'), { token: another.token })
  expect(theirs.status).toBe(200)

  open[0]?.hangUp()
  const next = await eventually(async () => {
    const tried = await ask('SubscribeToTask', { id })
    return tried.status === 200 ? tried : undefined
  })
  await fixture.rpc('CancelTask', { id }, v10)
  // The end of the task ends them all: what was asked for and refused counted for nothing.
  await Promise.all([...open.slice(1), elsewhere, next].map(({ response }) => response.text()))
  const sent = await ask('SendStreamingMessage', said('say again'))
  expect(sent.status).toBe(200)
  await sent.response.text()
})

test('an agent of the platform uses what a run gave it once, and sees its own tasks only', async () => {
  // Of a wallet of its own: a task under a token reaches no other agent of the token's wallet.
  const { id: walletId } = await makeWalletFor(fixture.app, fixture.tenant)
  const target = await fixture.newAgent({ wallet_id: walletId })
  const at = `${fixture.app.url}/v1/agents/${target.id}`
  const { id } = await open('SendStreamingMessage', said('sleep 8000\nsay parent'))
  const { app, tenant, agent } = fixture
  const mint = delegationMint(app)
  const give = () => mint({ organizationId: tenant.id, agentId: agent.id, runId: id, depth: 0 }, target.id)
  const token = await give()
  const v10 = { headers: { 'a2a-version': '1.0' }, at }
  const sent = await fixture.rpc('SendMessage', said('say child'), { ...v10, token })
  expect(sent.body.result.task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } })
  expect((await fixture.rpc('SendMessage', said('say again'), { ...v10, token })).status).toBe(401)
  const task = sent.body.result.task.id
  expect((await fixture.rpc('GetTask', { id: task }, { ...v10, token: await give() })).body.result.id).toBe(
    task,
  )
  // For another agent it is worth nothing.
  expect(
    (await fixture.rpc('SendMessage', said('say elsewhere'), { headers: v10.headers, token: await give() }))
      .status,
  ).toBe(401)
  const session = await mintSession(app, tenant, walletId, { agent_id: target.id })
  expect((await fixture.rpc('GetTask', { id: task }, { ...v10, token: session.token })).body.error.code).toBe(
    -32001,
  )
  const child = await fixture.app.sql`select parent_run_id, depth from agent_runs where id = ${task}`
  expect(child).toMatchObject([{ parent_run_id: id, depth: 1 }])
  await fixture.rpc('CancelTask', { id }, { headers: v10.headers })
})
