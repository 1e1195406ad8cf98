import { ApiError, bodyBytesMax, type Route, takesIdempotencyKey } from '@symbolon/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../ports/log.ts'
import { clientBlock } from '../runtime/client-block.ts'
import { isFailure } from '../runtime/failure.ts'
import type { FairShares } from '../runtime/fair-shares.ts'
import { errorAnswer } from './answer-error.ts'
import { bodyWeight } from './body-weight.ts'
import { successBody } from './envelope.ts'
import { groupOf } from './fair-group.ts'
import type { Bound, Cookies } from './handler.ts'
import { type Idempotency, isIdempotencyKey } from './idempotency.ts'
import { readJsonBody } from './json-body.ts'
import type { RateGrant, ReportRate } from './limiter.ts'
import { parseInput } from './parse-input.ts'
import type { RawAnswer } from './raw-handler.ts'
import { type Answer, runIdempotently } from './run-idempotently.ts'
import { sendAnswer } from './send-answer.ts'
import { sendRaw } from './send-raw.ts'
import { sendStream } from './send-stream.ts'
import { readCookie, setCookie } from './session-cookie.ts'

/** The dependencies of every request, whatever its route. */
export type AnswerCtx = {
  idempotency: Idempotency
  areAnswersChecked: boolean
  log: Log
  fair: FairShares
  /** The platform is served over https. */
  isSecure: boolean
  /** Fires when the client has gone or the server closes. */
  signalOf: (reply: FastifyReply) => AbortSignal
}

/** A route with its handler, and what answering its requests needs. */
export type Mounted = AnswerCtx & Bound

/** Answers an authenticated request; one that is much work, once there is a place for its group. */
export async function answerRequest(
  mounted: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!holdsPlace(mounted.route)) return answer(mounted, request, reply)
  const bytes = mounted.route.isLongAnswer === true ? bodyBytesMax : rawBodyOf(request).length
  const giveBack = await mounted.fair.places.take(groupOf(request), bytes)
  try {
    return await answer(mounted, request, reply)
  } finally {
    giveBack()
  }
}

// What is decoded to be signed, and what answers at length. Those with a time limit of their own wait for a chain: a slow one would take
// the places of all other requests.
const holdsPlace = ({ bodyBytesMax: bytesMax, answerLimitMs, isLongAnswer }: Route): boolean =>
  (bytesMax !== undefined || isLongAnswer === true) && answerLimitMs === undefined

/** Parse, handle, respond. */
async function answer(mounted: Mounted, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { route, log } = mounted
  const { context } = request
  if (route.handler === 'raw') {
    const rawBody = rawBodyOf(request)
    const readJson = () =>
      mounted.fair.turns.run(groupOf(request), () => readJsonBody(rawBody), rawBody.length)
    const raw = { rawBody, readJson, headers: request.headers, signal: mounted.signalOf(reply) }
    return sendRaw(context, reply, (await handleRequest(mounted, request, raw)) as RawAnswer, log)
  }
  if (route.stream !== undefined) {
    const chunks = (await handleRequest(mounted, request)) as AsyncIterable<string>
    return sendStream(context, reply, { contentType: route.stream, chunks, log })
  }
  if (route.status === 302) {
    const location = (await handleRequest(mounted, request)) as string
    const headers = { location, 'cache-control': 'no-store' }
    return sendAnswer(context, reply, { status: 302, body: undefined, headers })
  }
  const takesKey = takesIdempotencyKey(route) && request.authenticated?.isEnded !== true
  const key = takesKey ? (request.headers['idempotency-key'] as string | undefined) : undefined
  if (key === undefined) return sendAnswer(context, reply, await jsonAnswer(mounted, request))
  return answerIdempotently(mounted, request, reply, key)
}

async function answerIdempotently(
  mounted: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): Promise<FastifyReply> {
  const { route } = mounted
  if (!isIdempotencyKey(key)) await reportMalformed(mounted, request)
  const isOpen = route.lane === 'publishable'
  const { isReplay, ...answer } = await runIdempotently(mounted.idempotency, {
    route,
    credentialId: isOpen ? await openCaller(mounted, request) : (request.authenticated?.credentialId ?? ''),
    path: calledPath(route, request),
    key,
    isRefusalKept: !isOpen,
    rawBody: rawBodyOf(request),
    run: () => jsonAnswer(mounted, request, { idempotencyKey: key }),
    isContinued: mounted.isContinued && (() => isContinued(mounted, request, key)),
    refuse: (error) => refusal(error, route),
  })
  const headers = isReplay ? { headers: { 'idempotent-replayed': 'true' } } : {}
  return sendAnswer(request.context, reply, { ...answer, ...headers })
}

/** One text for all spellings of a path, whatever query is behind it: no route that takes a key reads one. */
const calledPath = ({ path }: Route, { params }: FastifyRequest): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent((params as Record<string, string>)[name] ?? ''),
  )

/**
 * Who repeats a call of the publishable lane: its key is public, so its callers are told apart by client address and device. Refuses a
 * malformed call before anything of it is stored.
 */
async function openCaller(mounted: Mounted, request: FastifyRequest): Promise<string> {
  const { body } = await parseRequest(mounted, request)
  const nonce = (body as { client_nonce?: string } | undefined)?.client_nonce
  const caller = [request.authenticated?.credentialId, clientBlock(request.ip), nonce]
  return JSON.stringify([...caller, request.headers['x-service-device']])
}

async function isContinued(mounted: Mounted, request: FastifyRequest, key: string): Promise<boolean> {
  const { body } = await parseRequest(mounted, request)
  const call = { body, principal: request.authenticated?.principal, idempotencyKey: key }
  return (await mounted.isContinued?.(call as never)) === true
}

async function jsonAnswer(mounted: Mounted, request: FastifyRequest, extra: object = {}): Promise<Answer> {
  const { route, areAnswersChecked } = mounted
  const data = await handleRequest(mounted, request, extra)
  if (areAnswersChecked) route.data?.parse(data)
  if (route.status === 204) return { status: 204, body: undefined }
  return { status: route.status, body: route.envelope === false ? JSON.stringify(data) : successBody(data) }
}

/** Runs the handler on the parsed input; a failure that it returns becomes an error. */
async function handleRequest(
  mounted: Mounted,
  request: FastifyRequest,
  extra: object = {},
): Promise<unknown> {
  const { headers, ip, context, authenticated, url } = request
  const outcome = await mounted.handle({
    ...(await parseRequest(mounted, request)),
    ...extra,
    principal: authenticated?.principal,
    rate: reportTo(context, bodyWeight(rawBodyOf(request).length)),
    requestId: context.requestId,
    cookies: cookiesOf(request, mounted.isSecure),
    request: {
      origin: headers.origin,
      address: ip,
      url,
      userAgent: headers['user-agent'],
      device: headers['x-service-device'] as string | undefined,
    },
  } as never)
  if (isFailure(outcome)) throw new ApiError(outcome.code, outcome)
  return outcome
}

function reportTo(context: FastifyRequest['context'], weight: number): ReportRate {
  const report = (grant: RateGrant) => {
    context.grant = grant
  }
  return Object.assign(report, { weight })
}

async function parseRequest(mounted: Mounted, request: FastifyRequest) {
  // Schemas cost about what the reading of the JSON does.
  const { length } = rawBodyOf(request)
  const parse = () => parsedInput(mounted.route, request)
  const { input, error } = await mounted.fair.turns.run(groupOf(request), parse, length)
  if (input !== undefined) return input
  if (error instanceof ApiError) await reportMalformed(mounted, request)
  throw error
}

function parsedInput(route: Route, request: FastifyRequest) {
  try {
    return { input: parseInput(route, request) }
  } catch (error) {
    return { error }
  }
}

/** Reports a request that its handler never gets. */
export const reportMalformed = async ({ onMalformed }: Mounted, request: FastifyRequest): Promise<void> =>
  onMalformed?.(request.authenticated?.principal as never, request.body)

const cookiesOf = ({ headers, context }: FastifyRequest, isSecure: boolean): Cookies => ({
  read: (cookie) => readCookie(headers.cookie, cookie, isSecure),
  set: (cookie, value, maxAgeSeconds) => {
    context.setCookies ??= []
    context.setCookies.push(setCookie(cookie, value, { isSecure, maxAgeSeconds }))
  },
})

const rawBodyOf = ({ context }: FastifyRequest): Uint8Array => context.rawBody ?? new Uint8Array(0)

function refusal(thrown: unknown, route: Route): Answer {
  const { error, body } = errorAnswer(thrown, route)
  return { status: error.status, body }
}
