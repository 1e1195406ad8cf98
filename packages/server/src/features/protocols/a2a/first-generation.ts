import { isDeepStrictEqual } from 'node:util'
import { Message, type Part, Role } from '@a2a-js/sdk'
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server'
import { UnsupportedOperationError } from '@a2a-js/sdk/errors'
import { taskOf, textIn, textPart } from './a2a-task.ts'
import { bothSpellings } from './both-spellings.ts'
import { answerText, messageObjective } from './message-objective.ts'
import type { RpcRequest } from './rpc-request.ts'
import type { TaskHandler } from './task-handler.ts'
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

/** A task in the words of 0.1 to 0.3. */
export const legacyTask = (run: TaskRun, historyLength?: number): unknown => {
  const task = taskOf(run, historyLength)
  const { body } = legacy.serialize({ payload: { $case: 'task', value: task } }, task)
  return bothSpellings(JSON.parse(String(body)))
}

/**
 * `tasks/send` of A2A 0.1: the caller names the task. It does not wait. The same message again answers the same task; another one
 * answers what the task has asked. Throws -32004 for one that is neither: the caller has to hear that nothing was begun.
 */
export async function sendTask(
  handler: TaskHandler,
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
  const request = { tenant: '', message: sent, configuration: undefined, metadata: metadata ?? undefined }
  const found = await handler.find(id)
  // Another message may have taken the id meanwhile.
  const run = found ?? (await handler.begin(request, '0.3', id))
  if (isFirst(run, sent)) return legacyTask(run, historyLength ?? undefined)
  if (found?.state === 'input-required') {
    const answered = await handler.begin({ ...request, message: answerOf(sent, id, requestId) }, '0.3')
    return legacyTask(answered, historyLength ?? undefined)
  }
  if (isAnswer(run, sent)) return legacyTask(run, historyLength ?? undefined)
  throw new UnsupportedOperationError({ message: 'This id names another task.' })
}

/**
 * Messages of 0.1 have no ids: the same words in another request are another answer, in the same request they are the one that was given
 * already, whatever has been asked since.
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

/** The message that a task came with, sent once more: its parts are what it says. */
function isFirst({ message, objective }: TaskRun, sent: Message): boolean {
  // What another agent's runner delegated came without one.
  if (message === null) return messageObjective(sent).text === objective
  return isDeepStrictEqual(said(Message.fromJSON(message)), said(sent))
}

/** One that has answered the task before, in a request of whatever id. */
const isAnswer = ({ dialog }: TaskRun, sent: Message): boolean =>
  dialog.some(({ kind, output }) => kind === 'resume' && textIn(output) === answerText(sent))

/** As the database keeps it, in which the order of keys is lost. */
const said = ({ parts }: Message): unknown => JSON.parse(JSON.stringify(parts.map(({ content }) => content)))
