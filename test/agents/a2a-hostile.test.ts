import { type A2aFixture, a2aFixture } from '@symbolon/testing/agents'
import { liftRates } from '@symbolon/testing/app'
import { changed, each, odd, pathsOf, wrong } from '@symbolon/testing/http'
import { spreadCases } from '@symbolon/testing/properties'
import { afterAll, beforeAll, expect, test } from 'vitest'

let fixture: A2aFixture

beforeAll(async () => {
  fixture = await a2aFixture()
  await liftRates(fixture.app)
})
afterAll(() => fixture.app.stop())

const internals =
  /postgres|sql|insert |relation|column|constraint|node_modules|\.ts\b|\.js\b| at \/|ECONN|TypeError|undefined|zod|not iterable|cannot read/i

const message = {
  kind: 'message',
  messageId: 'm',
  role: 'user',
  parts: [{ kind: 'text', text: 'say x', metadata: { a: 1 } }],
}
const newMessage = {
  messageId: 'm',
  role: 'ROLE_USER',
  contextId: 'c',
  parts: [{ text: 'say x', mediaType: 'text/plain' }],
  extensions: ['x'],
}
const target = {
  id: 'one',
  url: 'http://127.0.0.1:9/',
  token: 't',
  authentication: { schemes: ['Bearer'], credentials: 'c' },
}
const bodies: [string, Record<string, unknown>][] = [
  [
    'tasks/send',
    {
      id: 'h',
      sessionId: 's',
      message: {
        role: 'user',
        parts: [
          { type: 'text', text: 'say x' },
          { type: 'data', data: { tool: 'get_policy', arguments: {} } },
        ],
      },
      metadata: { a: 1 },
    },
  ],
  ['tasks/get', { id: 'h', historyLength: 1 }],
  ['tasks/cancel', { id: 'h' }],
  [
    'message/send',
    {
      message,
      configuration: {
        blocking: false,
        historyLength: 1,
        acceptedOutputModes: ['text/plain'],
        pushNotificationConfig: target,
      },
      metadata: { a: 1 },
    },
  ],
  ['tasks/pushNotificationConfig/set', { taskId: 'h', pushNotificationConfig: target }],
  ['tasks/pushNotificationConfig/delete', { id: 'h', pushNotificationConfigId: 'one' }],
  [
    'SendMessage',
    {
      tenant: '',
      message: newMessage,
      configuration: {
        returnImmediately: true,
        historyLength: 1,
        taskPushNotificationConfig: { ...target, authentication: { scheme: 'Bearer', credentials: 'c' } },
      },
    },
  ],
  ['GetTask', { id: 'h', historyLength: 1 }],
  [
    'ListTasks',
    {
      contextId: 'c',
      pageSize: 5,
      pageToken: 'x',
      status: 'TASK_STATE_WORKING',
      historyLength: 1,
      includeArtifacts: true,
      statusTimestampAfter: '2026-01-01T00:00:00Z',
    },
  ],
  [
    'CreateTaskPushNotificationConfig',
    { ...target, taskId: 'h', authentication: { scheme: 'Bearer', credentials: 'c' } },
  ],
]

test.each(bodies)('%s takes whatever is in any place without stumbling', async (method, params) => {
  const whole = { jsonrpc: '2.0', id: 1, method, params }
  const values = pathsOf(whole).flatMap((path, place) =>
    spreadCases([...wrong, ...odd], 5, place).map((value) => changed(whole, path, value)),
  )
  await each(values, async (value) => {
    const body = JSON.stringify(value)
    const { status, body: answer, text } = await fixture.rpc('', {}, { body })
    expect({ status, code: answer.error?.code === -32603, body: status === 200 ? '' : body }).toEqual({
      status: 200,
      code: false,
      body: '',
    })
    if (answer.error !== undefined) expect(text).not.toMatch(internals)
  })
})

test.each([
  ['pageToken', `${'9'.repeat(15)} ${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`],
  ['pageToken', `1 ${'-'.repeat(36)}`],
  ['statusTimestampAfter', '-271821-04-20T00:00:00Z'],
  ['statusTimestampAfter', '+275760-09-13T00:00:00Z'],
  ['statusTimestampAfter', '0000-01-01T00:00:00Z'],
])('ListTasks refuses a %s that no database knows: %s', async (field, text) => {
  const value = field === 'pageToken' ? Buffer.from(text).toString('base64url') : text
  const { status, body } = await fixture.rpc('ListTasks', { [field]: value })
  expect([status, body.error?.code]).toEqual([200, -32602])
})
