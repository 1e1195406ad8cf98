import { Role, TaskState } from '@a2a-js/sdk'
import * as newest from '@a2a-js/sdk/client'
import { type A2aFixture, a2aFixture } from '@symbolon/testing/agents'
import { A2AClient as SecondClient } from 'a2a-sdk-0-2/client'
import { A2AClient as ThirdClient, ClientFactory as ThirdFactory } from 'a2a-sdk-0-3/client'
import * as first10 from 'a2a-sdk-1-0/client'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

let fixture: A2aFixture

beforeAll(async () => {
  fixture = await a2aFixture()
})
afterAll(() => fixture.app.stop())
afterEach(() => vi.unstubAllGlobals())

const legacyMessage = (text: string) => ({
  kind: 'message' as const,
  messageId: crypto.randomUUID(),
  role: 'user' as const,
  parts: [{ kind: 'text' as const, text }],
})
/** Resolves with the rest once the first event is there. */
const begun = async <value>(events: AsyncGenerator<value, unknown>): Promise<Promise<value[]>[]> => {
  const first = await events.next()
  return [listOf(events).then((rest) => (first.done === true ? rest : [first.value, ...rest]))]
}
const listOf = async <value>(events: AsyncIterable<value>): Promise<value[]> => {
  const all: value[] = []
  for await (const event of events) all.push(event)
  return all
}

test('the official client of 0.2 sends, reads, streams, subscribes again and cancels', async () => {
  vi.stubGlobal('fetch', fixture.fetchAs(fixture.session.token))
  const client = new SecondClient(fixture.at)
  expect((await client.getAgentCard()).name).toBe(fixture.agent.name)
  const sent = await client.sendMessage({
    message: legacyMessage('say hi'),
    configuration: { blocking: true, acceptedOutputModes: [] },
  })
  expect(sent).toMatchObject({ result: { kind: 'task', status: { state: 'completed' } } })
  const id = 'result' in sent && sent.result.kind === 'task' ? sent.result.id : ''
  expect(await client.getTask({ id })).toMatchObject({ result: { artifacts: [{ name: 'result' }] } })
  const events = await listOf(client.sendMessageStream({ message: legacyMessage('sleep 1000\nsay hi') }))
  expect(events.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['task', 'artifact-update', 'status-update']),
  )
  const slow = await client.sendMessage({
    message: legacyMessage('sleep 10000'),
    configuration: { blocking: false, acceptedOutputModes: [] },
  })
  const slowId = 'result' in slow && slow.result.kind === 'task' ? slow.result.id : ''
  const [followed = []] = await begun(client.resubscribeTask({ id: slowId }))
  expect(await client.cancelTask({ id: slowId })).toMatchObject({ result: { status: { state: 'canceled' } } })
  expect((await followed).at(-1)).toMatchObject({
    kind: 'status-update',
    final: true,
    status: { state: 'canceled' },
  })
})

describe('the official clients of 0.3', () => {
  test('the client from a card sends, asks back and sets up notifications', async () => {
    vi.stubGlobal('fetch', fixture.fetchAs(fixture.session.token))
    const client = await ThirdClient.fromCardUrl(`${fixture.at}/.well-known/agent-card.json`)
    const asked = await client.sendMessage({
      message: legacyMessage('ask Sure?\nsay good'),
      configuration: { blocking: true },
    })
    expect(asked).toMatchObject({ result: { kind: 'task', status: { state: 'input-required' } } })
    const task = 'result' in asked && asked.result.kind === 'task' ? asked.result : undefined
    const answered = await client.sendMessage({
      message: { ...legacyMessage('Yes.'), taskId: task?.id ?? '', contextId: task?.contextId ?? '' },
    })
    expect(answered).toMatchObject({ result: { id: task?.id, status: { state: 'completed' } } })
    const pushNotificationConfig = { id: 'one', url: 'http://127.0.0.1:9/hook', token: 'secret' }
    const taskId = task?.id ?? ''
    expect(await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig })).toMatchObject({
      result: { taskId, pushNotificationConfig: { id: 'one', url: pushNotificationConfig.url } },
    })
    expect(await client.getTaskPushNotificationConfig({ id: taskId })).toMatchObject({
      result: { pushNotificationConfig: { id: 'one' } },
    })
    expect(await client.listTaskPushNotificationConfig({ id: taskId })).toMatchObject({
      result: [{ taskId }],
    })
    await client.deleteTaskPushNotificationConfig({ id: taskId, pushNotificationConfigId: 'one' })
    expect(await client.listTaskPushNotificationConfig({ id: taskId })).toMatchObject({ result: [] })
  })

  test('the client of the factory streams and cancels', async () => {
    vi.stubGlobal('fetch', fixture.fetchAs(fixture.session.token))
    const client = await new ThirdFactory().createFromUrl(`${fixture.at}/`)
    const events = await listOf(client.sendMessageStream({ message: legacyMessage('sleep 1000\nsay hi') }))
    expect(events.at(-1)).toMatchObject({ kind: 'status-update', final: true })
    const slow = await client.sendMessage({
      message: legacyMessage('sleep 10000'),
      configuration: { blocking: false },
    })
    expect(slow.kind).toBe('task')
    expect(await client.cancelTask({ id: slow.kind === 'task' ? slow.id : '' })).toMatchObject({
      status: { state: 'canceled' },
    })
    await expect(client.getTask({ id: 'nobody' })).rejects.toThrow(/not found/i)
    expect((await client.getAgentCard()).supportsAuthenticatedExtendedCard).toBe(true)
  })
})

describe.each([
  ['1.0.1', first10 as unknown as typeof newest],
  ['1.3.0', newest],
])('the official client %s', (_, sdk) => {
  const message = (text: string, more: object = {}) => ({
    messageId: crypto.randomUUID(),
    role: Role.ROLE_USER,
    parts: [
      {
        content: { $case: 'text' as const, value: text },
        metadata: undefined,
        filename: '',
        mediaType: 'text/plain',
      },
    ],
    contextId: '',
    taskId: '',
    extensions: [],
    referenceTaskIds: [],
    metadata: undefined,
    ...more,
  })
  const request = (text: string, more: object = {}) => ({
    tenant: '',
    message: message(text, more),
    configuration: undefined,
    metadata: undefined,
  })
  const patient = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: true }

  const connect = (compat: object) => {
    const fetchImpl = fixture.fetchAs(fixture.session.token)
    const factory = new sdk.ClientFactory(
      sdk.ClientFactoryOptions.createFrom(sdk.ClientFactoryOptions.default, {
        transports: [new sdk.JsonRpcTransportFactory({ fetchImpl, ...compat })],
        cardResolver: new sdk.DefaultAgentCardResolver({ fetchImpl, ...compat }),
      }),
    )
    return factory.createFromUrl(`${fixture.at}/`)
  }
  type Client = Awaited<ReturnType<typeof connect>>

  async function finishTask(client: Client): Promise<void> {
    const task = await client.sendMessage(request('say hi'))
    if (!('status' in task)) throw new Error('It answered a message.')
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    expect((await client.getTask({ tenant: '', id: task.id, historyLength: 1 })).artifacts.length).toBe(1)
    const listed = await client.listTasks({
      tenant: '',
      contextId: task.contextId,
      pageSize: 10,
      pageToken: '',
      status: TaskState.TASK_STATE_UNSPECIFIED,
      includeArtifacts: false,
      historyLength: undefined,
      statusTimestampAfter: undefined,
    })
    expect(listed.tasks.map(({ id }) => id)).toEqual([task.id])
    const events = await listOf(client.sendMessageStream(request('sleep 1000\nsay hi')))
    expect(events.map(({ payload }) => payload?.$case)).toEqual(
      expect.arrayContaining(['task', 'artifactUpdate', 'statusUpdate']),
    )
  }

  async function cancelTask(client: Client): Promise<void> {
    const slow = await client.sendMessage({ ...request('sleep 10000'), configuration: patient })
    const [followed = []] = await begun(
      client.resubscribeTask({ tenant: '', id: 'id' in slow ? slow.id : '' }),
    )
    const config = {
      tenant: '',
      id: 'one',
      taskId: 'id' in slow ? slow.id : '',
      url: 'http://127.0.0.1:9/hook',
      token: 't',
      authentication: undefined,
    }
    expect(await client.createTaskPushNotificationConfig(config)).toMatchObject({
      id: 'one',
      url: config.url,
    })
    expect(
      (
        await client.listTaskPushNotificationConfig({
          tenant: '',
          taskId: config.taskId,
          pageSize: 10,
          pageToken: '',
        })
      ).configs.length,
    ).toBe(1)
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId: config.taskId, id: 'one' })
    const canceled = await client.cancelTask({ tenant: '', id: config.taskId, metadata: undefined })
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
    const last = (await followed).at(-1)?.payload
    expect(last?.$case === 'statusUpdate' && last.value.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
  }

  test.each([
    ['1.0', {}],
    ['1.0 and ready for 0.3', { legacyCompat: { enabled: true } }],
  ])(
    'speaking %s sends, reads, lists, streams, subscribes, cancels, and sets up notifications',
    async (_name, compat) => {
      const client = await connect(compat)
      await finishTask(client)
      await cancelTask(client)
      await expect(
        client.getTask({ tenant: '', id: 'nobody', historyLength: undefined }),
      ).rejects.toMatchObject({ name: 'TaskNotFoundError' })
      expect((await client.getAgentCard()).capabilities?.extendedAgentCard).toBe(true)
    },
  )
})
