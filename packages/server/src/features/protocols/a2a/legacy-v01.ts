import { isDeepStrictEqual } from 'node:util'
import { Message, type Part, Role } from '@a2a-js/sdk'
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server'
import { UnsupportedOperationError } from '@a2a-js/sdk/errors'
import { taskOf, textIn, textPart } from './a2a-task.ts'
import { beginTask } from './begin-task.ts'
import { bothSpellings } from './both-spellings.ts'
import { answerText, messageObjective } from './message-objective.ts'
import type { RpcRequest } from './rpc-request.ts'
import { findTask, type TaskCtx, type TaskRequest } from './task-request.ts'
import type { TaskRun } from './tasks.store.ts'

type SentPart = { kind: 'text' | 'data' | 'file'; text?: string; data?: unknown }
type SendParams = {
  id: string
  sessionId?: string | null
  message: { role: 'user' | 'agent'; parts: readonly SentPart[]; metadata?: Message['metadata'] }
  metadata?: Message['metadata'] | null
  historyLength?: number | null
}

const legacy = new V03PushNotificationSerializer()

/** A task in the format of 0.1 to 0.3. */
export const legacyTask = (run: TaskRun, historyLength?: number): unknown => {
  const task = taskOf(run, historyLength)
  const { body } = legacy.serialize({ payload: { $case: 'task', value: task } }, task)
  return bothSpellings(JSON.parse(String(body)))
}

/**
 * `tasks/send` of A2A 0.1: the caller names the task, and does not wait for it. The same message again returns the same task; another one
 * answers the task's question. Throws -32004 for any other, so that the caller learns that nothing was begun.
 */
export async function sendTask(
  ctx: TaskCtx,
  request: TaskRequest,
  { id: requestId, params }: RpcRequest,
): Promise<unknown> {
  const { id, sessionId, message, metadata, historyLength } = params as unknown as SendParams
  const sent: Message = {
    messageId: `${id}-message`,
    contextId: sessionId ?? '',
    taskId: '',
    role: message.role === 'user' ? Role.ROLE_USER : Role.ROLE_AGENT,
    parts: message.parts.map(corePart),
    metadata: message.metadata,
    extensions: [],
    referenceTaskIds: [],
  }
  const asked = { tenant: '', message: sent, configuration: undefined, metadata: metadata ?? undefined }
  const found = await findTask(ctx, request, id)
  // Another message may have taken the id meanwhile.
  const run = found ?? (await beginTask(ctx, request, asked, { wireVersion: '0.3', key: id }))
  if (isFirst(run, sent)) return legacyTask(run, historyLength ?? undefined)
  if (found?.state === 'input-required') {
    const answer = { ...asked, message: answerOf(sent, id, requestId) }
    const answered = await beginTask(ctx, request, answer, { wireVersion: '0.3' })
    return legacyTask(answered, historyLength ?? undefined)
  }
  if (isAnswer(run, sent)) return legacyTask(run, historyLength ?? undefined)
  throw new UnsupportedOperationError({ message: 'This id belongs to another task.' })
}

/**
 * Messages of 0.1 have no ids: the same text in another request is another answer; in the same request, it is the answer that was given
 * already, whatever the task has asked since.
 */
function answerOf(sent: Message, taskId: string, requestId: RpcRequest['id']): Message {
  return { ...sent, messageId: `${taskId}-answer-${JSON.stringify(requestId)}`, taskId, contextId: '' }
}

function corePart({ kind, text, data }: SentPart): Part {
  if (kind === 'text') return textPart(text ?? '')
  if (kind === 'data')
    return { ...textPart(''), content: { $case: 'data', value: data }, mediaType: 'application/json' }
  return { ...textPart(''), content: { $case: 'url', value: '' } }
}

/** Whether a message is the task's first one, sent again: its parts are the same. */
function isFirst({ message, objective }: TaskRun, sent: Message): boolean {
  // A task that another agent's runner delegated has no message.
  if (message === null) return messageObjective(sent).text === objective
  return isDeepStrictEqual(contentsOf(Message.fromJSON(message)), contentsOf(sent))
}

/** Whether a message has answered the task before, in a request of any id. */
const isAnswer = ({ dialog }: TaskRun, sent: Message): boolean =>
  dialog.some(({ kind, output }) => kind === 'resume' && textIn(output) === answerText(sent))

/** The contents as the database stores them, which loses the order of keys. */
const contentsOf = ({ parts }: Message): unknown =>
  JSON.parse(JSON.stringify(parts.map(({ content }) => content)))
