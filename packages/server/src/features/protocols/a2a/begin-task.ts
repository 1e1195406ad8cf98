import { Message, type SendMessageRequest } from '@a2a-js/sdk'
import {
  ContentTypeNotSupportedError,
  RequestMalformedError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import { ApiError } from '@symbolon/api'
import { isFailure } from '../../../runtime/failure.ts'
import { answerRun, startRun } from '../../agents/index.ts'
import { runCallerOf } from '../called-agent.ts'
import { contextIdOf, isTerminal } from './a2a-task.ts'
import { isOutputMode } from './is-output-mode.ts'
import { messageHash } from './message-hash.ts'
import { answerText, messageObjective } from './message-objective.ts'
import { targetOf, type WireVersion } from './push-config.ts'
import { checkReadable } from './readable-message.ts'
import { hasTarget, type NewTarget, setTarget } from './task-pushes.ts'
import { currentTask, knownTask, scopeOf, type TaskCtx, type TaskRequest } from './task-request.ts'
import { type TaskRun, tasksStore } from './tasks.store.ts'

/** The key that recognizes a repeated message: the caller's own id for the task (0.1), or the message's hash. */
type MessageName = { key: string } | { messageHash: Buffer }

/** A message with the receiver of notifications that it names. */
type Sent = { message: Message; name: MessageName; target: NewTarget | undefined }

/**
 * Starts a task, or answers one that asked, without waiting for it; the same message again does neither a second time. `key`: the caller's
 * own id for the task (0.1), whose messages have none.
 */
export async function beginTask(
  ctx: TaskCtx,
  request: TaskRequest,
  { message, configuration, metadata }: SendMessageRequest,
  { wireVersion, key }: { wireVersion: WireVersion; key?: string },
): Promise<TaskRun> {
  if (message === undefined) throw new RequestMalformedError({ message: 'The message is missing.' })
  const accepted = configuration?.acceptedOutputModes ?? []
  if (accepted.length > 0 && !accepted.some((mode) => isOutputMode(mode, wireVersion)))
    throw new ContentTypeNotSupportedError({ message: 'Results are available as text or JSON only.' })
  const wanted = configuration?.taskPushNotificationConfig
  const hash = messageHash(message, request.caller)
  const name = key === undefined ? { messageHash: hash } : { key }
  // A receiver without an id is named after the message: the same message again means the same receiver.
  const id = wanted?.id || hash.toString('base64url')
  const target = wanted && { id, target: targetOf(wanted, ctx.outbound), wireVersion }
  const sent = { message, name, target }
  if (message.taskId !== '') return proceed(ctx, request, await knownTask(ctx, request, message.taskId), sent)
  const { run, isNew } = await start(ctx, request, sent, metadata)
  // Only now, when nothing else of the request can be refused. A request that comes again may have got no further.
  if (target !== undefined && (isNew || !(await hasTarget(ctx, run, id))))
    await setTarget(ctx, run, { ...target, isEarly: true })
  return run
}

async function start(
  ctx: TaskCtx,
  { agent, caller }: TaskRequest,
  { message, name }: Sent,
  metadata: SendMessageRequest['metadata'],
): Promise<{ run: TaskRun; isNew: boolean }> {
  const { text, call } = messageObjective(message)
  checkReadable(message)
  const started = await startRun(ctx.runs, {
    organizationId: agent.organizationId,
    agentId: agent.id,
    caller: runCallerOf(caller),
    objective: call ?? text,
    ...(call !== undefined && text !== '' && { words: text }),
    ...('key' in name ? { callerKey: name.key } : name),
    metadata: {
      ...(metadata !== undefined && { caller: metadata }),
      context_id: message.contextId || ctx.runs.ids.next(),
      message: Message.toJSON(message),
    },
  })
  if (isFailure(started) && started.code === 'forbidden') throw new ApiError(started.code, started)
  if (isFailure(started) && started.code === 'invalid_request')
    throw new RequestMalformedError({ message: started.message ?? 'The objective is too long.' })
  const run = isFailure(started) ? undefined : await tasksStore.byRun(ctx.runs.sql, started.run.id)
  if (run === undefined || isFailure(started))
    throw new UnsupportedOperationError({ message: 'The agent no longer accepts tasks.' })
  return { run, isNew: started.isNew }
}

/** Answers what a task has asked. */
async function proceed(
  ctx: TaskCtx,
  request: TaskRequest,
  run: TaskRun,
  { message, name, target }: Sent,
): Promise<TaskRun> {
  if (message.contextId !== '' && message.contextId !== contextIdOf(run))
    throw new RequestMalformedError({ message: 'The task belongs to another context.' })
  const answer = answerText(message)
  // A task that has no room for another receiver goes on asking.
  if (run.state === 'input-required' && target !== undefined)
    await setTarget(ctx, run, { ...target, isEarly: false })
  const taken = 'key' in name ? undefined : { ...scopeOf(request), hash: name.messageHash }
  if ((await answerRun(ctx.runs, run.id, answer, taken)) !== 'ignored') return currentTask(ctx, run)
  throw new UnsupportedOperationError({
    message: isTerminal(run.state) ? 'The task has ended.' : 'The task is not waiting for an answer.',
  })
}
