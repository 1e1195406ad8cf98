import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSecretsFile } from '../../packages/server/src/adapters/secrets-file.ts'
import { systemIds } from '../../packages/server/src/adapters/system.ts'
import { delegations } from '../../packages/server/src/features/agent-runs/delegations.ts'
import { platformKey } from '../../packages/server/src/features/jwks/platform-key.ts'
import { type A2aWorld, a2aWorld, eventsIn, eventually } from '../support/a2a-world.ts'
import { mintSession } from '../support/agents.ts'
import { ownOrigin, startTestApp, type TestApp } from '../support/app.ts'
import { makeWalletFor } from '../support/tenant.ts'

let world: A2aWorld
/** A second process of the same installation. */
let second: TestApp

beforeAll(async () => {
  world = await a2aWorld()
  second = await startTestApp({ installation: world.app })
})
afterAll(async () => {
  await second?.stop()
  await world?.app.stop()
})

const said = (text: string, more: object = {}) => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }], ...more },
})

/** Opens a stream of a process; `rest` resolves with its whole text. */
async function open(
  method: string,
  params: object,
  { url }: { url: string } = world.app,
  signal?: AbortSignal,
) {
  const response = await fetch(`${url}/v1/agents/${world.agent.id}/a2a`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.session.token}`, 'content-type': 'application/json' },
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
    async rest() {
      while (!(await read()));
      return eventsIn(text) as { result: { statusUpdate?: { status: { state: string } } } }[]
    },
  }
}
const lastState = (events: Awaited<ReturnType<Awaited<ReturnType<typeof open>>['rest']>>) =>
  events.at(-1)?.result.statusUpdate?.status.state

test('a stream outlives the limit of other answers', async () => {
  const { rest } = await open('SendStreamingMessage', said('sleep 5800\nsay late'))
  expect(lastState(await rest())).toBe('TASK_STATE_COMPLETED')
  expect(world.app.log.lines.filter((line) => line.startsWith('answered with a failure'))).toEqual([])
}, 20_000)

test('whoever asks another process hears the same, and may answer there', async () => {
  const { id, rest } = await open('SendStreamingMessage', said('sleep 300\nask Sure?\nsay good'))
  const elsewhere = await open('SubscribeToTask', { id }, second)
  const [here, there] = await Promise.all([rest(), elsewhere.rest()])
  expect([lastState(here), lastState(there)]).toEqual([
    'TASK_STATE_INPUT_REQUIRED',
    'TASK_STATE_INPUT_REQUIRED',
  ])
  const answered = await open('SendStreamingMessage', said('Yes.', { taskId: id }), second)
  expect(answered.id).toBe(id)
  expect(lastState(await answered.rest())).toBe('TASK_STATE_COMPLETED')
})

test('who hangs up is followed no more, and the task goes on', async () => {
  const controller = new AbortController()
  const { id } = await open(
    'SendStreamingMessage',
    said('sleep 1500\nsay alone'),
    world.app,
    controller.signal,
  )
  controller.abort()
  const done = await eventually(async () => {
    const { result } = (await world.rpc('GetTask', { id }, { headers: { 'a2a-version': '1.0' } })).body
    return result.status.state === 'TASK_STATE_COMPLETED' ? result : undefined
  })
  expect(done.artifacts.length).toBe(1)
  expect(
    world.app.log.lines.filter((line) => /^(answered with a failure|a stream of a task)/.test(line)),
  ).toEqual([])
})

test('a server that closes ends its streams at once', async () => {
  const third = await startTestApp({ installation: world.app })
  const { id, rest } = await open('SendStreamingMessage', said('sleep 20000\nsay never'), third)
  const ended = rest()
  const begunAt = performance.now()
  await third.stop()
  expect(performance.now() - begunAt).toBeLessThan(5_000)
  const events = await ended
  expect(lastState(events)).not.toBe('TASK_STATE_COMPLETED')
  await world.rpc('CancelTask', { id }, { headers: { 'a2a-version': '1.0' } })
}, 15_000)

test('an agent of the platform uses what a run gave it once, and sees its own tasks only', async () => {
  // Of a wallet of its own: a task under a token reaches no other agent of the token's wallet.
  const { id: walletId } = await makeWalletFor(world.app, world.tenant)
  const target = await world.newAgent({ wallet_id: walletId })
  const at = `${world.app.url}/v1/agents/${target.id}`
  const { id } = await open('SendStreamingMessage', said('sleep 8000\nsay parent'))
  const { app, tenant, agent } = world
  const { mint } = delegations({
    sql: app.sql,
    ids: systemIds(),
    key: platformKey(openSecretsFile(join(app.folder, 'secrets.json')).pepper),
    issuer: ownOrigin,
    organizationOf: async () => undefined,
  })
  const give = () => mint({ organizationId: tenant.id, agentId: agent.id, runId: id, depth: 0 }, target.id)
  const token = await give()
  const v10 = { headers: { 'a2a-version': '1.0' }, at }
  const sent = await world.rpc('SendMessage', said('say child'), { ...v10, token })
  expect(sent.body.result.task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } })
  expect((await world.rpc('SendMessage', said('say again'), { ...v10, token })).status).toBe(401)
  const task = sent.body.result.task.id
  expect((await world.rpc('GetTask', { id: task }, { ...v10, token: await give() })).body.result.id).toBe(
    task,
  )
  // For another agent it is worth nothing.
  expect(
    (await world.rpc('SendMessage', said('say elsewhere'), { headers: v10.headers, token: await give() }))
      .status,
  ).toBe(401)
  const session = await mintSession(app, tenant, walletId, { agent_id: target.id })
  expect((await world.rpc('GetTask', { id: task }, { ...v10, token: session.token })).body.error.code).toBe(
    -32001,
  )
  const child = await world.app.sql`select parent_run_id, depth from agent_runs where id = ${task}`
  expect(child).toMatchObject([{ parent_run_id: id, depth: 1 }])
  await world.rpc('CancelTask', { id }, { headers: v10.headers })
})
