import type { IncomingHttpHeaders } from 'node:http'
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server'
import type { JsonBody } from '../../../http/json-body.ts'
import type { RawAnswer } from '../../../http/raw-handler.ts'
import type { Log } from '../../../ports/log.ts'
import { type Failure, failure } from '../../../runtime/failure.ts'
import { callerName } from '../../agents/index.ts'
import { runCallerOf } from '../called-agent.ts'
import { hybridCard } from './agent-card.ts'
import { bothSpellings } from './both-spellings.ts'
import { eventStream, eventStreamHeaders } from './event-stream.ts'
import { guardedError, guardedHandler, isStream } from './guarded-handler.ts'
import { sendTask } from './legacy-v01.ts'
import type { OpenStreams } from './open-streams.ts'
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
import { taskHandler } from './task-handler.ts'
import type { TaskCtx, TaskRequest } from './task-request.ts'

/** What the JSON-RPC endpoint works with; `streams` counts those that each caller has open. */
export type A2aCtx = { tasks: TaskCtx; streams: OpenStreams; log: Log }

/** The streams of one caller in one process: far more than a client that follows its tasks needs, far less than a process can hold. */
export const streamsMax = 32

type Reply = { jsonrpc: '2.0'; id?: unknown; result?: unknown; error?: RpcError }

/** One request of a caller. `failures`: errors that are ours. */
type Exchange = { request: RpcRequest; asked: TaskRequest; failures: unknown[] }

const jsonType = /^application\/(a2a\+)?json\s*(;|$)/i
const spokenVersion = /^(0\.[123]|1\.0)(\.\d+)?$/
const internalError = -32603
/**
 * Answers one request of a caller to an agent, in the version of A2A that it speaks. Errors of the protocol are 200 with a JSON-RPC error;
 * those that are not the caller's fault are thrown, and leave as every failure does.
 */
export async function answerA2a(
  ctx: A2aCtx,
  asked: TaskRequest,
  { body: { value: body, refusal }, headers }: { body: JsonBody; headers: IncomingHttpHeaders },
): Promise<RawAnswer | Failure<'rate_limited'>> {
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
  // Before anything is begun: a caller that is refused a stream has started no task either.
  const caller = callerName(runCallerOf(asked.caller))
  if (isStreaming(request.method) && !ctx.streams.open(caller, asked.signal))
    return failure('rate_limited', {
      message: `You have ${streamsMax} open streams. Close one first.`,
      retryAfterSeconds: 1,
    })
  return answer(ctx, { request, asked, failures: [] })
}

async function answer(ctx: A2aCtx, exchange: Exchange): Promise<RawAnswer> {
  const { request, failures } = exchange
  const { id, method } = request
  const worded = (reply: unknown) => inVersionOf(ctx, exchange, reply as Reply)
  const refusal = (error: unknown) => worded(rpcFailure(id, errorOf(method, error)))
  try {
    const made = await dispatch(ctx, exchange)
    const events = isStream(made) ? made[Symbol.asyncIterator]() : undefined
    // An error that comes at once is answered without a stream.
    const first = events === undefined ? worded(made) : await events.next()
    if (failures.length > 0) throw failures[0]
    if (events === undefined) return isRepeating(request) ? stream(only(first)) : json(first)
    return stream(rest(first as IteratorResult<unknown>, events, worded), (error) => {
      ctx.log.error({ err: failures[0] ?? error, method }, 'a stream of a task broke off')
      return refusal(error)
    })
  } catch (error) {
    if (failures.length > 0) throw failures[0]
    return isRepeating(request) ? stream(only(refusal(error))) : json(refusal(error))
  }
}

async function dispatch({ tasks }: A2aCtx, { request, asked, failures }: Exchange): Promise<unknown> {
  const { id, method, params } = request
  if (method === 'tasks/send') {
    const result = await sendTask(tasks, asked, request).catch((error: unknown) => {
      throw guardedError(error, failures)
    })
    return { jsonrpc: '2.0', id, result }
  }
  const handler = guardedHandler(taskHandler(tasks, asked), failures)
  const isNew = isOf10(method)
  const transport = isNew ? new JsonRpcTransportHandler(handler) : new LegacyJsonRpcTransportHandler(handler)
  // The method decides the version, whatever a gateway on the way adds.
  const context = new ServerCallContext({ requestedVersion: isNew ? '1.0' : '0.3' })
  // The handlers accept fewer ids than JSON-RPC; the answer gets the caller's own.
  return transport.handle({ jsonrpc: '2.0', id: 1, method, params }, context)
}

const errorOf = (method: string, error: unknown): RpcError =>
  isOf10(method)
    ? JsonRpcTransportHandler.mapToJSONRPCError(error)
    : LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error)

/** A reply as the caller's version has it. */
function inVersionOf({ tasks: { cards } }: A2aCtx, exchange: Exchange, reply: Reply): unknown {
  const { request, asked, failures } = exchange
  const { id, method } = request
  // Nothing of ours failed: the official handlers do not check every value.
  if (reply.error?.code === internalError && failures.length === 0) return rpcFailure(id, invalidParams)
  const named = { ...reply, id }
  if (reply.result === undefined) return named
  if (isOf10(method)) return named
  // The signature is that of the card as it is answered.
  const isCard = method === 'agent/getAuthenticatedExtendedCard'
  return { ...named, result: isCard ? hybridCard(cards, asked.agent) : bothSpellings(reply.result) }
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
  worded: (reply: unknown) => unknown,
): AsyncGenerator<unknown> {
  try {
    for (let next = first; next.done !== true; next = await events.next()) yield worded(next.value)
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
  'The content type must be application/json.',
  'CONTENT_TYPE_NOT_SUPPORTED',
)
const otherVersion = withReason(
  -32009,
  'This version of A2A is not supported. Use 0.3 or 1.0.',
  'VERSION_NOT_SUPPORTED',
)
