import { isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3'
import * as z from 'zod'

/** A request of JSON-RPC 2.0 whose parameters have the shape that its method needs. */
export type RpcRequest = {
  id: string | number | null
  method: string
  params: Readonly<Record<string, unknown>>
}

/** An error of JSON-RPC or A2A. */
export type RpcError = { code: number; message: string; data?: unknown }

// What the database cannot hold is nobody's id.
const Text = z
  .string()
  .max(256)
  .regex(/^[^\0]*$/)
const Part = z.record(z.string(), z.unknown())
const parts = z.array(Part).min(1).max(64)
const Message = z.looseObject({
  messageId: Text.min(1),
  parts,
  taskId: Text.nullish(),
  contextId: Text.nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})
const Kind = z.enum(['text', 'data', 'file'])
const LegacyPart = z
  .looseObject({ kind: Kind.optional(), type: Kind.optional(), text: z.string().optional() })
  .transform(({ type, ...part }) => ({ ...part, kind: part.kind ?? type }))
  .refine(({ kind, text }) => kind !== undefined && (kind !== 'text' || text !== undefined))
const legacyParts = z.array(LegacyPart).min(1).max(64)
const historyLength = z.int().min(0).nullish()
const Configuration = z.looseObject({ historyLength }).nullish()
const LegacyTarget = z.looseObject({ id: Text.nullish(), url: z.string(), token: z.string().nullish() })
const Named = z.looseObject({ id: Text.min(1), historyLength })
const OfTask = z.looseObject({ taskId: Text.min(1) })
const Empty = z.looseObject({})

/** What the methods need; the official handlers check little and answer what they stumble over as an internal error. */
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
  SendMessage: z.looseObject({ message: Message, configuration: Configuration }),
  SendStreamingMessage: z.looseObject({ message: Message, configuration: Configuration }),
  GetTask: Named,
  ListTasks: z.looseObject({
    historyLength,
    pageSize: z.int().nullish(),
    contextId: Text.nullish(),
    pageToken: Text.nullish(),
  }),
  CancelTask: Named,
  SubscribeToTask: Named,
  CreateTaskPushNotificationConfig: OfTask.extend({ id: Text.nullish(), url: z.string() }),
  GetTaskPushNotificationConfig: OfTask.extend({ id: Text.min(1) }),
  ListTaskPushNotificationConfigs: OfTask,
  DeleteTaskPushNotificationConfig: OfTask.extend({ id: Text.min(1) }),
  GetExtendedAgentCard: Empty,
}

function legacySend(): z.ZodType {
  return z.looseObject({
    message: Message.extend({ role: z.enum(['user', 'agent']), parts: legacyParts }),
    configuration: z.looseObject({ historyLength, pushNotificationConfig: LegacyTarget.nullish() }).nullish(),
  })
}

const Envelope = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(256), z.int(), z.null()]),
  method: z.string().min(1).max(256),
  params: z.unknown().optional(),
})

/** Reads a request (JSON-RPC 2.0, section 4): -32600, -32601 or -32602 for what is none of ours. */
export function readRpcRequest(
  body: unknown,
):
  | { id: RpcRequest['id']; request: RpcRequest; error?: never }
  | { id: RpcRequest['id']; error: RpcError; request?: never } {
  const envelope = Envelope.safeParse(body)
  if (!envelope.success) return { id: idIn(body), error: { code: -32600, message: 'Invalid request.' } }
  const { id, method, params } = envelope.data
  const schema = Object.hasOwn(schemas, method) ? schemas[method] : undefined
  if (schema === undefined) return { id, error: { code: -32601, message: 'There is no such method.' } }
  const parsed = schema.safeParse(schema === Empty && params === undefined ? {} : params)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const place = issue?.path.map(String).join('.')
    return {
      id,
      error: place ? { ...invalidParams, message: `Invalid parameters: ${place}.` } : invalidParams,
    }
  }
  return { id, request: { id, method, params: parsed.data as Record<string, unknown> } }
}

/** What the parameters of a method are refused by. */
export const invalidParams: RpcError = { code: -32602, message: 'Invalid parameters.' }

/** Whether a method answers a stream whatever there is to say: subscribing again, before 1.0. */
export const isRepeating = (method: string): boolean => method === 'tasks/resubscribe'

/** Whether a method is of 1.0. */
export const isOf10 = (method: string): boolean => isV1JsonRpcMethod(method)

/** An answer that is an error. */
export const rpcFailure = (id: RpcRequest['id'], error: RpcError) => ({ jsonrpc: '2.0' as const, id, error })

function idIn(body: unknown): RpcRequest['id'] {
  if (typeof body !== 'object' || body === null || !('id' in body)) return null
  const { id } = body
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null
}
