import { createHash, createPublicKey, type JsonWebKey, randomUUID, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pushesStore } from '@symbolon/server/testing/protocols'
import { type A2aFixture, a2aFixture, eventually } from '@symbolon/testing/agents'
import { advanceClock, untilWaiting } from '@symbolon/testing/database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

type Push = { headers: IncomingHttpHeaders; body: string; json: Record<string, never> }

let fixture: A2aFixture
let server: Server
let url: string
let pushes: Push[] = []
let status = 204
const hanging: (() => void)[] = []

beforeAll(async () => {
  fixture = await a2aFixture()
  server = createServer(async (request, response) => {
    if (request.url === '/hangs') return void hanging.push(() => response.destroy())
    let body = ''
    for await (const chunk of request) body += String(chunk)
    pushes.push({ headers: request.headers, body, json: JSON.parse(body) })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pushes`
})
afterAll(async () => {
  await fixture.app.stop()
  server.close()
})
beforeEach(() => {
  pushes = []
  status = 204
})

const v10 = { headers: { 'a2a-version': '1.0' } }
const send10 = (text: string, config: object, { rpc } = fixture) =>
  rpc(
    'SendMessage',
    {
      message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] },
      configuration: { returnImmediately: true, taskPushNotificationConfig: config },
    },
    v10,
  )
/** A task that waits for its caller: what it does next happens after the receiver is set, however busy the machine is. */
async function askedTask({ rpc } = fixture): Promise<string> {
  const { body } = await rpc(
    'SendMessage',
    { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'ask Ready?\nsay done' }] } },
    v10,
  )
  expect(body.result.task.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  return body.result.task.id
}
const answer = (taskId: string, { rpc } = fixture) =>
  rpc(
    'SendMessage',
    { message: { messageId: randomUUID(), role: 'ROLE_USER', taskId, parts: [{ text: 'yes' }] } },
    v10,
  )
const states = (of = pushes) =>
  of.map(({ json }) => (json['statusUpdate'] ?? json['task'])?.['status']?.['state'])

test('each state of a task is pushed in order, with the token of the caller, signed by the platform', async () => {
  const id = await askedTask()
  await fixture.rpc('CreateTaskPushNotificationConfig', { taskId: id, url, token: 'their-own-token' }, v10)
  await answer(id)
  await eventually(async () => (states().includes('TASK_STATE_COMPLETED' as never) ? true : undefined))
  expect(states()).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'])
  expect(pushes.at(-1)?.json).toMatchObject({ task: { id, artifacts: [{ name: 'result' }] } })
  const { keys } = (await (await fetch(`${fixture.app.url}/.well-known/jwks.json`)).json()) as {
    keys: [JsonWebKey]
  }
  const key = createPublicKey({ key: keys[0], format: 'jwk' })
  for (const { headers, body: raw } of pushes) {
    expect(headers['x-a2a-notification-token']).toBe('their-own-token')
    const [head = '', payload = '', signature = ''] = String(headers['x-a2a-notification-jwt']).split('.')
    expect(verify(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(
      true,
    )
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      aud: url,
      request_body_sha256: createHash('sha256').update(raw).digest('hex'),
    })
  }
})

test('a receiver of 0.3 gets the task in the form of 0.3, with its credentials', async () => {
  const taskId = await askedTask()
  await fixture.rpc('tasks/pushNotificationConfig/set', {
    taskId,
    pushNotificationConfig: { url, authentication: { schemes: ['Bearer'], credentials: 'theirs' } },
  })
  await answer(taskId)
  const last = await eventually(async () =>
    pushes.find(({ json }) => json['status']?.['state'] === ('completed' as never)),
  )
  expect(last.json).toMatchObject({
    kind: 'task',
    id: taskId,
    artifacts: [{ parts: [{ kind: 'text' }, { kind: 'data' }] }],
  })
  expect(last.headers.authorization).toBe('Bearer theirs')
})

test('a push that fails is sent later, and nothing overtakes it', async () => {
  status = 500
  const taskId = await askedTask()
  await fixture.rpc('CreateTaskPushNotificationConfig', { taskId, url }, v10)
  await answer(taskId)
  await eventually(async () => (pushes.length > 0 ? true : undefined))
  const waiting = await eventually(async () => {
    const rows = await fixture.app.sql<
      { id: string; attempts: number }[]
    >`select id::text, attempts from a2a_pushes order by a2a_pushes.id`
    return rows.length === 2 && (rows[0]?.attempts ?? 0) > 0 ? rows : undefined
  })
  expect(waiting[1]?.attempts).toBe(0)
  status = 204
  pushes = []
  await fixture.app.sql`update a2a_pushes set next_attempt_at = app_now() where attempts > 0`
  await eventually(async () => (pushes.length === 2 ? true : undefined))
  expect(states().at(-1)).toBe('TASK_STATE_COMPLETED')
  await eventually(async () =>
    (await fixture.app.sql`select 1 from a2a_pushes`).length === 0 ? true : undefined,
  )
})

test('neither tokens nor addresses lie open in the database, and nobody reads them back', async () => {
  const { body } = await send10('ask Well?', { url: `${url}?planted-in-url`, token: 'planted-token' })
  const taskId = body.result.task.id
  const rows = await fixture.app.sql<
    { text: string }[]
  >`select encode(config_sealed, 'escape') as text from a2a_push_configs`
  expect(rows.length).toBeGreaterThan(0)
  for (const { text } of rows) expect(text).not.toMatch(/planted/)
  const listed = await fixture.rpc('ListTaskPushNotificationConfigs', { taskId }, v10)
  expect(listed.body.result.configs.length).toBe(1)
  expect(listed.text).not.toMatch(/planted-token/)
})

test('a task has at most eight receivers, whoever else is setting one up', async () => {
  const { body } = await send10('ask Well?', { url })
  const { id: taskId } = body.result.task
  const set = () => fixture.rpc('CreateTaskPushNotificationConfig', { taskId, url }, v10)
  for (let i = 0; i < 6; i++) await set()
  const row = { configSealed: new Uint8Array(1), wireVersion: '1.0', isEarly: false } as const
  let second: ReturnType<typeof set> | undefined
  const eighth = await fixture.app.sql.begin(async (tx) => {
    const isSet = await pushesStore.set(tx, taskId, { ...row, id: 'eighth' })
    second = set()
    await untilWaiting(fixture.app)
    return isSet
  })
  expect(eighth).toBe(true)
  expect((await second)?.body.error.code).toBe(-32602)
})

test('receivers that hang hold up neither other organizations nor, once they are gone, anybody', async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => a2aFixture({ app: fixture.app })))
  const hung = url.replace('pushes', 'hangs')
  const hang = async (each: A2aFixture) => {
    for (let i = 0; i < 20; i++) await send10('say x', { url: hung }, each)
  }
  const isTold = async (token: string) =>
    pushes.some(({ headers }) => headers['x-a2a-notification-token'] === token) || undefined
  await hang(fixture)
  await eventually(async () => (hanging.length >= 8 ? true : undefined))
  await send10('say pushes', { url, token: 'of-another' }, others[0])
  await eventually(() => isTold('of-another'), 10_000)
  await Promise.all(others.map(hang))
  await eventually(async () => (hanging.length >= 32 ? true : undefined))
  // Long enough for the worker to look again while no place is free.
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  await fixture.app.sql`delete from a2a_push_configs where run_id in (select run_id from a2a_pushes)`
  for (const end of hanging) end()
  await send10('say pushes', { url, token: 'of-the-same' })
  await eventually(() => isTold('of-the-same'), 10_000)
})

// Last, because it moves this database's clock.
test("the times of a push are the database's; its id reveals nothing about others and stays the same", async () => {
  const expires_at = new Date(Date.now() + 3 * 3_600_000).toISOString()
  const { token } = await fixture.newSession(fixture.agent.id, { expires_at })
  await advanceClock(fixture.app.sql, 3_600_000)
  status = 500
  const late = {
    rpc: (...[method, params]: Parameters<A2aFixture['rpc']>) =>
      fixture.rpc(method, params, { ...v10, token }),
  }
  const taskId = await askedTask(late as A2aFixture)
  await late.rpc('CreateTaskPushNotificationConfig', { taskId, url, token: 'of-the-last' })
  await answer(taskId, late as A2aFixture)
  // Those of the tests before may be on their way still.
  const own = () => pushes.filter(({ headers }) => headers['x-a2a-notification-token'] === 'of-the-last')
  const claims = () =>
    own().map(({ headers }) => {
      const [, payload = ''] = String(headers['x-a2a-notification-jwt']).split('.')
      return JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
        jti: string
        iat: number
        exp: number
      }
    })
  await eventually(async () => (own().length > 0 ? true : undefined))
  status = 204
  const again = () =>
    fixture.app
      .sql`update a2a_pushes set next_attempt_at = app_now() where attempts > 0 and run_id = ${taskId}`
  await eventually(async () => {
    await again()
    return states(own()).includes('TASK_STATE_COMPLETED' as never) ? true : undefined
  })
  const [first, second] = claims()
  expect(first?.jti).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(second?.jti).toBe(first?.jti)
  expect(new Set(claims().map(({ jti }) => jti)).size).toBe(2)
  for (const { iat, exp } of claims()) {
    expect(Math.abs(iat * 1_000 - (Date.now() + 3_600_000))).toBeLessThan(60_000)
    expect(exp - iat).toBe(300)
  }
})
