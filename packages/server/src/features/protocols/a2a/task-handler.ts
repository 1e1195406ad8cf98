import { Message, type SendMessageRequest } from '@a2a-js/sdk'
import {
  ContentTypeNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import type { A2ARequestHandler } from '@a2a-js/sdk/server'
import { ApiError } from '@symbolon/api'
import type { Sql } from '../../../db/pool.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { A2aRequest, TaskRuns } from './a2a-ports.ts'
import { contextIdOf, isSettled, isTerminal, taskIdOf, taskOf } from './a2a-task.ts'
import { agentCard } from './agent-card.ts'
import { isOutputMode } from './is-output-mode.ts'
import { messageHash } from './message-hash.ts'
import { answerText, messageObjective } from './message-objective.ts'
import type { OpenStreams } from './open-streams.ts'
import { configOf, type PushTarget, type PushTargets, targetOf, type WireVersion } from './push-config.ts'
import { pushesStore } from './pushes.store.ts'
import { checkReadable } from './readable-message.ts'
import { listedContents, taskPage } from './task-page.ts'
import { settledTask, taskStream } from './task-stream.ts'
import { type TaskRun, type TaskScope, tasksStore } from './tasks.store.ts'

/** What tasks are made of. */
export type TaskParts = {
  sql: Sql
  ids: Ids
  runs: TaskRuns
  targets: PushTargets
  /** Whether the outbound guard lets calls to this address through. */
  mayCall: (url: string) => boolean
  baseUrl: string
  /** How long a blocking request waits for its task. */
  patienceMs: number
  /** Counts the lists of an organization that have contents. */
  largeLists: OpenStreams
}

/** What one request of a caller can do: the official handler's methods, and `begin`, which does not wait. */
export type TaskHandler = A2ARequestHandler & {
  /**
   * Starts a task or answers one that asked; the same message again does neither a second time. `key`: the caller's own id for the task
   * (0.1), whose messages have none.
   */
  begin(request: SendMessageRequest, wireVersion: WireVersion, key?: string): Promise<TaskRun>
  find(taskId: string): Promise<TaskRun | undefined>
}

/** A receiver of notifications, checked; without an id it gets one. */
type NewTarget = { id: string; target: PushTarget; wireVersion: WireVersion }

/** What the same message is known by when it comes again. */
type MessageName = { key: string } | { messageHash: Buffer }

/** The tasks of one caller with one agent, over the runs. Another caller's task is not there (-32001). */
export function taskHandler(parts: TaskParts, { agent, caller, signal }: A2aRequest): TaskHandler {
  const { sql, ids, runs, targets, mayCall, patienceMs, largeLists } = parts
  const scope: TaskScope = {
    organizationId: agent.organizationId,
    agentId: agent.id,
    caller: runs.callerName(caller),
  }
  const following = { sql, runs, signal }
  const card = () => agentCard(agent, parts.baseUrl)

  const find = (taskId: string) => tasksStore.find(sql, scope, taskId)

  async function known(taskId: string): Promise<TaskRun> {
    const run = taskId === '' ? undefined : await find(taskId)
    if (run === undefined) throw new TaskNotFoundError()
    return run
  }

  async function again(run: TaskRun): Promise<TaskRun> {
    return (await tasksStore.byRun(sql, run.id)) ?? run
  }

  async function proceed(
    run: TaskRun,
    message: Message,
    { target, name }: { target: NewTarget | undefined; name: MessageName },
  ): Promise<TaskRun> {
    if (message.contextId !== '' && message.contextId !== contextIdOf(run))
      throw new RequestMalformedError({ message: 'The task belongs to another context.' })
    const answer = answerText(message)
    // A task that has as many receivers as it may goes on asking.
    if (run.state === 'input-required' && target !== undefined)
      await setTarget(run, { ...target, isEarly: false })
    const taken = 'key' in name ? undefined : { ...scope, hash: name.messageHash }
    if ((await runs.answer(run.id, answer, taken)) !== 'ignored') return again(run)
    throw new UnsupportedOperationError({
      message: isTerminal(run.state) ? 'The task has ended.' : 'The task does not wait for an answer.',
    })
  }

  async function begin(
    { message, configuration, metadata }: SendMessageRequest,
    wireVersion: WireVersion,
    key?: string,
  ): Promise<TaskRun> {
    if (message === undefined) throw new RequestMalformedError({ message: 'The message is missing.' })
    const accepted = configuration?.acceptedOutputModes ?? []
    if (accepted.length > 0 && !accepted.some((mode) => isOutputMode(mode, wireVersion)))
      throw new ContentTypeNotSupportedError({ message: 'Results are text or JSON.' })
    const wanted = configuration?.taskPushNotificationConfig
    const hash = messageHash(message, caller)
    const name = key === undefined ? { messageHash: hash } : { key }
    // Named after the message where it has no name: the same message again means the same receiver.
    const id = wanted?.id || hash.toString('base64url')
    const target = wanted && { id, target: targetOf(wanted, mayCall), wireVersion }
    if (message.taskId !== '') return proceed(await known(message.taskId), message, { target, name })
    const { run, isNew } = await start(message, metadata, name)
    // The first receiver of a new task: nothing that the caller sent can be refused any more. What came again may have got no further.
    if (target !== undefined && (isNew || !(await hasTarget(run, id))))
      await setTarget(run, { ...target, isEarly: true })
    return run
  }

  async function start(
    message: Message,
    metadata: SendMessageRequest['metadata'],
    name: MessageName,
  ): Promise<{ run: TaskRun; isNew: boolean }> {
    const objective = messageObjective(message)
    checkReadable(message)
    const started = await runs.start(caller, agent, {
      objective,
      name,
      metadata: {
        ...(metadata !== undefined && { caller: metadata }),
        context_id: message.contextId || ids.next(),
        message: Message.toJSON(message),
      },
    })
    const run = started && (await tasksStore.byRun(sql, started.id))
    if (run === undefined)
      throw new UnsupportedOperationError({ message: 'The agent takes no tasks any more.' })
    return { run, isNew: started?.isNew === true }
  }

  const hasTarget = async (run: TaskRun, id: string): Promise<boolean> =>
    (await pushesStore.list(sql, run.id)).some((each) => each.id === id)

  async function setTarget(run: TaskRun, config: NewTarget & { isEarly: boolean }): Promise<string> {
    const id = config.id || ids.next()
    const row = { ...config, id, configSealed: targets.seal(run.id, config.target) }
    if (!(await pushesStore.set(sql, run.id, row)))
      throw new RequestMalformedError({ message: 'The task has as many configurations as it may.' })
    return id
  }

  return {
    begin,
    find,
    getAgentCard: async () => card(),
    getAuthenticatedExtendedAgentCard: async () => card(),

    async sendMessage(request, { requestedVersion }) {
      const run = await begin(request, wireVersionOf(requestedVersion))
      const isPatient = request.configuration?.returnImmediately !== true
      const current = isPatient ? await settledTask(following, run, patienceMs) : run
      return taskOf(current, request.configuration?.historyLength)
    },

    async *sendMessageStream(request, { requestedVersion }) {
      const run = await begin(request, wireVersionOf(requestedVersion))
      yield* taskStream(following, run, (each) => taskOf(each, request.configuration?.historyLength))
    },

    getTask: async ({ id, historyLength }) => taskOf(await known(id), historyLength),

    async listTasks(request) {
      // Asked of the request as it was read: its fields have two spellings.
      const { hasHistory, hasArtifacts } = listedContents(request)
      if ((hasHistory || hasArtifacts) && !largeLists.take(agent.organizationId, signal))
        throw new ApiError('rate_limited', {
          message: 'This organization has as many lists with history or artifacts under way as it may.',
          retryAfterSeconds: 1,
        })
      return taskPage(sql, scope, request)
    },

    async cancelTask({ id }, { requestedVersion }) {
      const isOf10 = wireVersionOf(requestedVersion) === '1.0'
      const run = await known(id)
      // Before 1.0 a canceled task is like every other that has ended (0.3, section 8.2).
      const isOver = isTerminal(run.state) && (run.state !== 'canceled' || !isOf10)
      if (isOver) throw new TaskNotCancelableError()
      await runs.cancel(run.id)
      const current = await again(run)
      // It ended by itself meanwhile.
      if (current.state !== 'canceled') throw new TaskNotCancelableError()
      return taskOf(current)
    },

    async *resubscribe({ id }, { requestedVersion }) {
      const run = await known(id)
      const isOf10 = wireVersionOf(requestedVersion) === '1.0'
      // Before 1.0 whoever comes too late is told how it ended, and hears no more where the task asks (1.0, section 3.1.6).
      if (isTerminal(run.state) && isOf10)
        throw new UnsupportedOperationError({ message: 'The task has ended.' })
      yield* taskStream(following, run, (each) => taskOf(each), isOf10 ? isTerminal : isSettled)
    },

    async createTaskPushNotificationConfig(config, { requestedVersion }) {
      const run = await known(config.taskId)
      const target = targetOf(config, mayCall)
      const id = await setTarget(run, {
        id: config.id,
        target,
        wireVersion: wireVersionOf(requestedVersion),
        isEarly: false,
      })
      return configOf(taskIdOf(run), id, target)
    },

    async getTaskPushNotificationConfig({ taskId, id }) {
      const run = await known(taskId)
      const rows = await pushesStore.list(sql, run.id)
      // Before 1.0 the id may be left out: the first one is meant.
      const row = id === '' ? rows[0] : rows.find((each) => each.id === id)
      if (row === undefined) throw new TaskNotFoundError({ message: 'There is no such configuration.' })
      return configOf(taskId, row.id, targets.open(run.id, row.configSealed))
    },

    async listTaskPushNotificationConfigs({ taskId }) {
      const run = await known(taskId)
      const rows = await pushesStore.list(sql, run.id)
      return {
        configs: rows.map((row) => configOf(taskId, row.id, targets.open(run.id, row.configSealed))),
        nextPageToken: '',
      }
    },

    async deleteTaskPushNotificationConfig({ taskId, id }) {
      const run = await known(taskId)
      await pushesStore.remove(sql, run.id, id)
    },
  }
}

/** A client that does not name a version is of 0.3 (A2A 1.0, section 3.6.2). */
const wireVersionOf = (requested: string): WireVersion => (requested.startsWith('1.') ? '1.0' : '0.3')
