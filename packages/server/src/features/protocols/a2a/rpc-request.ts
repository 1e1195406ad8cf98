import { Role, roleFromJSON, TaskState, taskStateFromJSON } from '@a2a-js/sdk'
import { isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3'
import { invalidText, issueWords, namedIssues, validationDetails } from '@symbolon/api'
import * as z from 'zod'

/** A request of JSON-RPC 2.0 whose parameters have the shape that its method needs. */
export type RpcRequest = {
  id: string | number
  method: string
  params: Readonly<Record<string, unknown>>
}

/** An error of JSON-RPC or A2A. */
export type RpcError = { code: number; message: string; data?: unknown }

// The database cannot store U+0000.
const Text = z
  .string()
  .max(256)
  .regex(/^[^\0]*$/)
const Part = z.record(z.string(), z.unknown())
const parts = z.array(Part).min(1).max(64)
/** A message's fields in every version. */
const Message = z.looseObject({
  messageId: Text.min(1),
  parts,
  taskId: Text.nullish(),
  contextId: Text.nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})
// 1.0 has names or numbers, as Protocol Buffers in JSON do.
const role10 = z.unknown().refine((role) => [Role.ROLE_USER, Role.ROLE_AGENT].includes(roleFromJSON(role)))
const Message10 = Message.extend({ role: role10 })
const State = z.unknown().refine((state) => taskStateFromJSON(state) !== TaskState.UNRECOGNIZED)
const Kind = z.enum(['text', 'data', 'file'])
const LegacyPart = z
  .looseObject({
    kind: Kind.optional(),
    type: Kind.optional(),
    text: z.string().optional(),
    data: z.unknown().optional(),
  })
  .transform(({ type, ...part }) => ({ ...part, kind: part.kind ?? type }))
  .refine(({ kind, text, data }) =>
    kind === 'text' ? text !== undefined : kind === 'data' ? Part.safeParse(data).success : kind === 'file',
  )
const legacyParts = z.array(LegacyPart).min(1).max(64)
const historyLength = z.int().min(0).nullish()
const TargetId = Text.max(255).nullish()
const LegacyTarget = z.looseObject({ id: TargetId, url: z.string(), token: z.string().nullish() })
const acceptedOutputModes = z.array(z.string()).nullish()
const Configuration10 = z
  .looseObject({
    historyLength,
    acceptedOutputModes,
    taskPushNotificationConfig: z.looseObject({ id: TargetId, url: z.string() }).nullish(),
  })
  .nullish()
const Named = z.looseObject({ id: Text.min(1), historyLength })
const OfTask = z.looseObject({ taskId: Text.min(1) })
const Send10 = z.looseObject({ message: Message10, configuration: Configuration10 })
const Empty = z.looseObject({})

/** The parameters of the methods; the official handlers check little, and answer anything unexpected as an internal error. */
const schemas: Readonly<Record<string, z.ZodType>> = {
  'tasks/send': z.looseObject({
    id: Text.min(1),
    sessionId: Text.nullish(),
    message: z.looseObject({ role: z.enum(['user', 'agent']), parts: legacyParts }),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    historyLength,
  }),
  'message/send': legacySend(),
  'message/stream': legacySend(),
  'tasks/get': Named,
  'tasks/cancel': Named,
  'tasks/resubscribe': Named,
  'tasks/pushNotificationConfig/set': z.looseObject({
    taskId: Text.min(1),
    pushNotificationConfig: LegacyTarget,
  }),
  'tasks/pushNotificationConfig/get': Named,
  'tasks/pushNotificationConfig/list': Named,
  'tasks/pushNotificationConfig/delete': z.looseObject({
    id: Text.min(1),
    pushNotificationConfigId: Text.min(1),
  }),
  'agent/getAuthenticatedExtendedCard': Empty,
  SendMessage: Send10,
  SendStreamingMessage: Send10,
  GetTask: Named,
  ListTasks: z.looseObject({
    historyLength,
    pageSize: z.int().nullish(),
    contextId: Text.nullish(),
    pageToken: Text.nullish(),
    status: State.nullish(),
    statusTimestampAfter: z.iso.datetime({ offset: true }).nullish(),
  }),
  CancelTask: Named,
  SubscribeToTask: Named,
  CreateTaskPushNotificationConfig: OfTask.extend({ id: TargetId, url: z.string() }),
  GetTaskPushNotificationConfig: OfTask.extend({ id: Text.min(1) }),
  ListTaskPushNotificationConfigs: OfTask,
  DeleteTaskPushNotificationConfig: OfTask.extend({ id: Text.min(1) }),
  GetExtendedAgentCard: Empty,
}

function legacySend(): z.ZodType {
  return z.looseObject({
    message: Message.extend({
      kind: z.literal('message').optional(),
      role: z.enum(['user', 'agent']),
      parts: legacyParts,
    }),
    configuration: z
      .looseObject({ historyLength, acceptedOutputModes, pushNotificationConfig: LegacyTarget.nullish() })
      .nullish(),
  })
}

const Envelope = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]),
  method: z.string().min(1).max(256),
  params: z.unknown().optional(),
})

/** Methods whose parameters are all optional: then JSON-RPC lets all of them be left out (section 4.2). */
const withoutParams = ['ListTasks', 'GetExtendedAgentCard', 'agent/getAuthenticatedExtendedCard']

/** Reads a request (JSON-RPC 2.0, section 4); -32600, -32601 or -32602 for one that is not ours. */
export function readRpcRequest(
  body: unknown,
):
  | { id: RpcRequest['id']; request: RpcRequest; error?: never }
  | { id: RpcRequest['id'] | null; error: RpcError; request?: never } {
  const envelope = Envelope.safeParse(body)
  if (!envelope.success) return { id: idIn(body), error: { code: -32600, message: 'Invalid request.' } }
  const { id, method, params } = envelope.data
  const schema = Object.hasOwn(schemas, method) ? schemas[method] : undefined
  if (schema === undefined) return { id, error: { code: -32601, message: 'Method not found.' } }
  const parsed = schema.safeParse(params ?? (withoutParams.includes(method) ? {} : params), {
    error: issueWords,
  })
  if (!parsed.success) {
    const message = invalidText('Invalid parameters', namedIssues(validationDetails(parsed.error)))
    return { id, error: { ...invalidParams, message } }
  }
  return { id, request: { id, method, params: parsed.data as Record<string, unknown> } }
}

/** The error of parameters that do not fit their method. */
export const invalidParams: RpcError = { code: -32602, message: 'Invalid parameters.' }

/** Whether a request is answered by a stream even when it fails: subscribing again, before 1.0. */
export const isRepeating = (request: unknown): boolean =>
  typeof request === 'object' &&
  request !== null &&
  'method' in request &&
  request.method === 'tasks/resubscribe'

const streaming = new Set(['message/stream', 'tasks/resubscribe', 'SendStreamingMessage', 'SubscribeToTask'])

/** Whether a method is answered by a stream unless it fails. */
export const isStreaming = (method: string): boolean => streaming.has(method)

/** Whether a method is of 1.0. */
export const isOf10 = (method: string): boolean => isV1JsonRpcMethod(method)

/** An answer that is an error. */
export const rpcFailure = (id: RpcRequest['id'] | null, error: RpcError) => ({
  jsonrpc: '2.0' as const,
  id,
  error,
})

function idIn(body: unknown): RpcRequest['id'] | null {
  if (typeof body !== 'object' || body === null || !('id' in body)) return null
  const { id } = body
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
