import { ApiError, Id, type Route, takesIdempotencyKey } from '@symbolon/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../ports/log.ts'
import { isFailure } from '../runtime/failure.ts'
import { errorAnswer } from './answer-error.ts'
import { successBody } from './envelope.ts'
import type { Bound } from './handler.ts'
import { type Idempotency, isIdempotencyKey } from './idempotency.ts'
import type { Lanes } from './lanes.ts'
import type { RateGrant } from './limiter.ts'
import { type Answer, onceOnly } from './once-only.ts'
import { parseInput } from './parse-input.ts'
import type { RawAnswer } from './raw-handler.ts'
import { sendAnswer } from './send-answer.ts'
import { sendRaw } from './send-raw.ts'
import { sendStream } from './send-stream.ts'
import { type PortalCookie, readCookie, setCookie } from './session-cookie.ts'

/** The lanes that pages call, whose answers carry CORS headers. */
export const corsLanes: ReadonlySet<string> = new Set(['publishable', 'wallet', 'publishable_or_secret'])

/** The framework's spelling of a path with parameters in braces. */
export const frameworkPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

// The framework's, of bodies that it does not even read: too long, of another media type.
const bodyErrors = 'FST_ERR_CTP_'

type MountOptions = {
  lanes: Lanes
  idempotency: Idempotency
  areAnswersChecked: boolean
  log: Log
  /** The platform is served over https. */
  isSecure: boolean
  /** Fires when the caller has gone or the server closes. */
  signalOf: (reply: FastifyReply) => AbortSignal
}

/** Mounts one route: lane and limit before the body is read, then parse, handler, envelope. */
export function mountRoute(
  app: FastifyInstance,
  { route, handle, onMalformed }: Bound,
  options: MountOptions,
): void {
  const { lanes, idempotency, log } = options
  const checked = options.areAnswersChecked ? route.data : undefined

  async function admit(request: FastifyRequest): Promise<void> {
    const { context, headers, ip } = request
    context.route = route
    const credentials = {
      authorization: headers.authorization,
      publishableKey: single(headers['x-service-publishable-key']),
      origin: headers.origin,
      address: ip,
      sessionToken: readCookie(headers.cookie, 'session', options.isSecure),
      organizationId: idIn(request.params, 'orgID'),
      agentId: idIn(request.params, 'agentID'),
    }
    const admitted = await lanes.admit(route, credentials, (origin) => {
      if (corsLanes.has(route.lane)) context.corsOrigin = origin
    })
    request.admitted = admitted
    const { grant } = admitted
    if (grant === undefined) return
    context.grant = grant
    if (grant.granted) return
    throw new ApiError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(grant.retrySeconds)) })
  }

  /** Tells the handler of a request that it never gets. */
  const tellMalformed = (request: FastifyRequest) =>
    onMalformed?.(request.admitted?.principal as never, request.body)

  async function parsed(request: FastifyRequest) {
    try {
      return parseInput(route, request)
    } catch (error) {
      if (error instanceof ApiError) await tellMalformed(request)
      throw error
    }
  }

  async function handled(request: FastifyRequest, more: object = {}): Promise<unknown> {
    const { headers, ip, context, admitted } = request
    const outcome = await handle({
      ...(await parsed(request)),
      ...more,
      fail: makeError,
      principal: admitted?.principal,
      rate: (grant: RateGrant) => {
        context.grant = grant
      },
      requestId: context.requestId,
      cookies: {
        read: (cookie: PortalCookie) => readCookie(headers.cookie, cookie, options.isSecure),
        set: (cookie: PortalCookie, value: string, maxAgeSeconds: number) => {
          context.setCookies ??= []
          context.setCookies.push(setCookie(cookie, value, { isSecure: options.isSecure, maxAgeSeconds }))
        },
      },
      request: { origin: headers.origin, address: ip, url: request.url },
    } as never)
    if (isFailure(outcome)) throw new ApiError(outcome.code, outcome)
    return outcome
  }

  async function answer(request: FastifyRequest, more: object = {}): Promise<Answer> {
    const data = await handled(request, more)
    checked?.parse(data)
    if (route.status === 204) return { status: 204, body: undefined }
    return { status: route.status, body: route.envelope === false ? JSON.stringify(data) : successBody(data) }
  }

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { context, headers } = request
    if (route.handler === 'raw') {
      const more = { rawBody: context.rawBody ?? new Uint8Array(0), headers, signal: options.signalOf(reply) }
      return sendRaw(context, reply, (await handled(request, more)) as RawAnswer, log)
    }
    if (route.stream !== undefined)
      return sendStream(context, reply, {
        contentType: route.stream,
        chunks: (await handled(request)) as AsyncIterable<string>,
        log,
      })
    if (route.status === 302) {
      const location = (await handled(request)) as string
      return sendAnswer(context, reply, {
        status: 302,
        body: undefined,
        headers: { location, 'cache-control': 'no-store' },
      })
    }
    const takesKey = takesIdempotencyKey(route) && request.admitted?.isEnded !== true
    const key = takesKey ? single(request.headers['idempotency-key']) : undefined
    if (key === undefined) return sendAnswer(context, reply, await answer(request))
    if (!isIdempotencyKey(key)) await tellMalformed(request)
    const { isReplay, ...once } = await onceOnly(idempotency, {
      route,
      credentialId: request.admitted?.credentialId ?? '',
      path: request.url,
      key,
      rawBody: context.rawBody ?? new Uint8Array(0),
      run: () => answer(request, { idempotencyKey: key }),
      refuse: (error) => refusal(error, route),
    })
    return sendAnswer(
      context,
      reply,
      isReplay ? { ...once, headers: { 'idempotent-replayed': 'true' } } : once,
    )
  }

  app.route({
    method: route.method,
    url: frameworkPath(route.path),
    config: route.answerLimitMs === undefined ? {} : { answerLimitMs: route.answerLimitMs },
    onRequest: admit,
    handler: respond,
    ...(onMalformed && {
      async errorHandler(error: Error, request: FastifyRequest) {
        const isUnread = 'code' in error && String(error.code).startsWith(bodyErrors)
        if (isUnread || request.context.isUnreadable === true) await tellMalformed(request)
        // On to the one door of all failures.
        throw error
      },
    }),
  })
}

function refusal(thrown: unknown, route: Route): Answer {
  const { error, body } = errorAnswer(thrown, route)
  return { status: error.status, body }
}

/** The id that a path names; what is no id names nothing. */
function idIn(params: unknown, name: 'orgID' | 'agentID'): string | undefined {
  return Id.safeParse((params as Record<string, string>)[name]).data
}

const makeError = (...parameters: ConstructorParameters<typeof ApiError>) => new ApiError(...parameters)

const single = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)
