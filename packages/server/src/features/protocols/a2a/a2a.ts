import type { IncomingHttpHeaders } from 'node:http'
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server'
import { ApiError } from '@symbolon/api'
import type { JsonBody } from '../../../http/json-body.ts'
import type { RawAnswer } from '../../../http/raw-handler.ts'
import type { Log } from '../../../ports/log.ts'
import type { A2aRequest } from './a2a-ports.ts'
import { wholeCard } from './agent-card.ts'
import { bothSpellings } from './both-spellings.ts'
import { eventStream, eventStreamHeaders } from './event-stream.ts'
import { sendTask } from './first-generation.ts'
import { guardedHandler, isStream } from './guarded-handler.ts'
import { openStreams } from './open-streams.ts'
import {
  invalidParams,
  isOf10,
  isRepeating,
  isStreaming,
  type RpcError,
  type RpcRequest,
  readRpcRequest,
  rpcFailure,
} from './rpc-request.ts'
import { type TaskHandler, type TaskParts, taskHandler } from './task-handler.ts'

/** The JSON-RPC endpoint: one request of a caller to an agent, in the words of any generation of A2A. */
export type A2a = (
  request: A2aRequest & { body: JsonBody; headers: IncomingHttpHeaders },
) => Promise<RawAnswer>

type Reply = { jsonrpc: '2.0'; id?: unknown; result?: unknown; error?: RpcError }

/** One request with what it is answered by. `failures`: what was nobody's fault but ours. */
type Exchange = { request: RpcRequest; handler: TaskHandler; failures: unknown[] }

const jsonType = /^application\/(a2a\+)?json\s*(;|$)/i
const spokenVersion = /^(0\.[123]|1\.0)(\.\d+)?$/
const internalError = -32603
// Of one caller in one process: far more than a client that follows its tasks needs, far less than a process can hold.
const streamsMax = 32
// Of one organization in one process: each reads and writes a megabyte.
const largeListsMax = 4

/**
 * Answers requests: errors of the protocol are 200 with a JSON-RPC error; what is not the caller's fault is thrown, so that it leaves as
 * every failure does.
 */
export function a2a(parts: Omit<TaskParts, 'largeLists'> & { log: Log }): A2a {
  const streams = openStreams(streamsMax)
  const largeLists = openStreams(largeListsMax)
  return async ({ body: { value: body, refusal }, headers, ...asked }) => {
    const { 'content-type': contentType, 'a2a-version': given } = headers
    if (contentType !== undefined && !jsonType.test(contentType))
      return json(rpcFailure(null, otherContentType))
    if (refusal !== undefined)
      return json(rpcFailure(null, { code: refusal.isJson ? -32600 : -32700, message: refusal.message }))
    const { id, request, error } = readRpcRequest(body)
    const version = String(given ?? '').trim()
    const isOther = version !== '' && !spokenVersion.test(version)
    if (request === undefined || isOther) {
      const reply = rpcFailure(id, isOther || error === undefined ? otherVersion : error)
      return isRepeating(body) ? stream(only(reply)) : json(reply)
    }
    // Before anything is begun: who is refused a stream has started no task either.
    if (isStreaming(request.method) && !streams.take(parts.runs.callerName(asked.caller), asked.signal))
      throw new ApiError('rate_limited', {
        message: `This caller has ${streamsMax} streams open. Close one first.`,
        retryAfterSeconds: 1,
      })
    const failures: unknown[] = []
    const handler = guardedHandler(taskHandler({ ...parts, largeLists }, asked), failures)
    return answer({ request, handler, failures }, parts.log)
  }
}

async function answer(exchange: Exchange, log: Log): Promise<RawAnswer> {
  const { request, failures } = exchange
  const { id, method } = request
  const told = (reply: unknown) => inWordsOf(exchange, reply as Reply)
  const refusal = (error: unknown) => told(rpcFailure(id, errorOf(method, error)))
  try {
    const made = await dispatch(exchange)
    const events = isStream(made) ? made[Symbol.asyncIterator]() : undefined
    // What fails at once is answered as usual.
    const first = events === undefined ? told(made) : await events.next()
    if (failures.length > 0) throw failures[0]
    if (events === undefined) return isRepeating(request) ? stream(only(first)) : json(first)
    return stream(rest(first as IteratorResult<unknown>, events, told), (error) => {
      log.error({ err: failures[0] ?? error, method }, 'a stream of a task broke off')
      return refusal(error)
    })
  } catch (error) {
    if (failures.length > 0) throw failures[0]
    return isRepeating(request) ? stream(only(refusal(error))) : json(refusal(error))
  }
}

async function dispatch({ request, handler }: Exchange): Promise<unknown> {
  const { id, method, params } = request
  if (method === 'tasks/send') return { jsonrpc: '2.0', id, result: await sendTask(handler, request) }
  const isNew = isOf10(method)
  const transport = isNew ? new JsonRpcTransportHandler(handler) : new LegacyJsonRpcTransportHandler(handler)
  // The method tells the generation, whatever a gateway on the way says of itself.
  const context = new ServerCallContext({ requestedVersion: isNew ? '1.0' : '0.3' })
  // The handlers take fewer ids than JSON-RPC has; the answer gets the caller's own.
  return transport.handle({ jsonrpc: '2.0', id: 1, method, params }, context)
}

const errorOf = (method: string, error: unknown): RpcError =>
  isOf10(method)
    ? JsonRpcTransportHandler.mapToJSONRPCError(error)
    : LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error)

/** A reply as the caller's generation reads it. */
function inWordsOf({ request: { id, method }, failures }: Exchange, reply: Reply): unknown {
  // Nothing of ours failed: the official handlers stumbled over a value that they take for checked.
  if (reply.error?.code === internalError && failures.length === 0) return rpcFailure(id, invalidParams)
  const named = { ...reply, id }
  if (reply.result === undefined) return named
  if (!isOf10(method)) return { ...named, result: bothSpellings(reply.result) }
  return method === 'GetExtendedAgentCard' ? { ...named, result: wholeCard(reply.result) } : named
}

const json = (reply: unknown): RawAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(reply),
})

const stream = (events: AsyncIterator<unknown>, onError = (error: unknown): unknown => error): RawAnswer => ({
  status: 200,
  headers: eventStreamHeaders,
  body: eventStream(events, onError),
})

async function* only(reply: unknown): AsyncGenerator<unknown> {
  yield reply
}

async function* rest(
  first: IteratorResult<unknown>,
  events: AsyncIterator<unknown>,
  told: (reply: unknown) => unknown,
): AsyncGenerator<unknown> {
  try {
    for (let next = first; next.done !== true; next = await events.next()) yield told(next.value)
  } finally {
    await events.return?.()
  }
}

const withReason = (code: number, message: string, reason: string): RpcError => ({
  code,
  message,
  data: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' }],
})
const otherContentType = withReason(
  -32005,
  'The content type has to be application/json.',
  'CONTENT_TYPE_NOT_SUPPORTED',
)
const otherVersion = withReason(
  -32009,
  'This version of A2A is not spoken here; 0.3 and 1.0 are.',
  'VERSION_NOT_SUPPORTED',
)
