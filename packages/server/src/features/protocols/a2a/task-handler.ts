import type {
  CancelTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from '@a2a-js/sdk'
import { TaskNotCancelableError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import type { A2ARequestHandler } from '@a2a-js/sdk/server'
import { ApiError } from '@symbolon/api'
import { cancelRun } from '../../agents/index.ts'
import { isSettled, isTerminal, taskOf } from './a2a-task.ts'
import { agentCard } from './agent-card.ts'
import { beginTask } from './begin-task.ts'
import type { WireVersion } from './push-config.ts'
import { listedContents, taskPage } from './task-page.ts'
import { createPushConfig, deletePushConfig, getPushConfig, listPushConfigs } from './task-pushes.ts'
import { currentTask, knownTask, scopeOf, type TaskCtx, type TaskRequest } from './task-request.ts'
import { settledTask, taskStream } from './task-stream.ts'

/** The official handler's methods for one request: the tasks of a caller with an agent. Throws errors of A2A. */
export function taskHandler(ctx: TaskCtx, request: TaskRequest): A2ARequestHandler {
  const { runs } = ctx
  const { signal } = request
  const card = async () => agentCard(ctx.cards, request.agent)
  return {
    getAgentCard: card,
    getAuthenticatedExtendedAgentCard: card,

    async sendMessage(asked, { requestedVersion }) {
      const run = await beginTask(ctx, request, asked, { wireVersion: wireVersionOf(requestedVersion) })
      const isPatient = asked.configuration?.returnImmediately !== true
      const current = isPatient ? await settledTask(runs, run, { signal, limitMs: ctx.patienceMs }) : run
      return taskOf(current, asked.configuration?.historyLength)
    },

    async *sendMessageStream(asked, { requestedVersion }) {
      const run = await beginTask(ctx, request, asked, { wireVersion: wireVersionOf(requestedVersion) })
      const snapshot = (each: typeof run) => taskOf(each, asked.configuration?.historyLength)
      yield* taskStream(runs, run, { signal, snapshot, isOver: isSettled })
    },

    getTask: async ({ id, historyLength }) => taskOf(await knownTask(ctx, request, id), historyLength),
    listTasks: (asked) => listTasks(ctx, request, asked),
    cancelTask: (asked, { requestedVersion }) =>
      cancelTask(ctx, request, asked, wireVersionOf(requestedVersion)),
    resubscribe: (asked, { requestedVersion }) =>
      resubscribe(ctx, request, asked, wireVersionOf(requestedVersion)),

    createTaskPushNotificationConfig: (config, { requestedVersion }) =>
      createPushConfig(ctx, request, config, wireVersionOf(requestedVersion)),
    getTaskPushNotificationConfig: (asked) => getPushConfig(ctx, request, asked),
    listTaskPushNotificationConfigs: ({ taskId }) => listPushConfigs(ctx, request, taskId),
    deleteTaskPushNotificationConfig: (asked) => deletePushConfig(ctx, request, asked),
  }
}

async function listTasks(
  ctx: TaskCtx,
  request: TaskRequest,
  asked: ListTasksRequest,
): Promise<ListTasksResponse> {
  // Read from the parsed request: its fields have two spellings.
  const { hasHistory, hasArtifacts } = listedContents(asked)
  if ((hasHistory || hasArtifacts) && !ctx.largeLists.open(request.agent.organizationId, request.signal))
    throw new ApiError('rate_limited', {
      message: 'This organization is running too many lists with history or artifacts. Try again later.',
      retryAfterSeconds: 1,
    })
  return taskPage(ctx.runs.sql, scopeOf(request), asked)
}

async function cancelTask(
  ctx: TaskCtx,
  request: TaskRequest,
  { id }: CancelTaskRequest,
  wireVersion: WireVersion,
): Promise<Task> {
  const run = await knownTask(ctx, request, id)
  // Before 1.0 a canceled task is like every other that has ended (0.3, section 8.2).
  const isOver = isTerminal(run.state) && (run.state !== 'canceled' || wireVersion === '0.3')
  if (isOver) throw new TaskNotCancelableError()
  await cancelRun(ctx.runs, run.id)
  const current = await currentTask(ctx, run)
  // It ended by itself meanwhile.
  if (current.state !== 'canceled') throw new TaskNotCancelableError()
  return taskOf(current)
}

async function* resubscribe(
  ctx: TaskCtx,
  request: TaskRequest,
  { id }: SubscribeToTaskRequest,
  wireVersion: WireVersion,
): AsyncGenerator<StreamResponse, void, undefined> {
  const run = await knownTask(ctx, request, id)
  const isOf10 = wireVersion === '1.0'
  // Before 1.0 a stream of an ended task reports how it ended, and every stream ends where the task asks (1.0, section 3.1.6).
  if (isTerminal(run.state) && isOf10) throw new UnsupportedOperationError({ message: 'The task has ended.' })
  const isOver = isOf10 ? isTerminal : isSettled
  yield* taskStream(ctx.runs, run, { signal: request.signal, snapshot: (each) => taskOf(each), isOver })
}

/** A client that does not name a version is of 0.3 (A2A 1.0, section 3.6.2). */
const wireVersionOf = (requested: string): WireVersion => (requested.startsWith('1.') ? '1.0' : '0.3')
