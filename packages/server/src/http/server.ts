import { ApiError, type Route } from '@symbolon/api'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Ids } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { answerDeadline } from './answer-deadline.ts'
import { errorAnswer } from './answer-error.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { successBody } from './envelope.ts'
import type { Bound } from './handler.ts'
import { checkShape, httpTimeouts, refuseMalformed } from './harden.ts'
import type { Idempotency } from './idempotency.ts'
import { parseJsonBody } from './json-body.ts'
import type { Lanes } from './lanes.ts'
import type { Permit } from './limiter.ts'
import { methodsAt } from './methods-at.ts'
import { onceOnly } from './once-only.ts'
import { parseInput } from './parse-input.ts'

const bodyBytesMax = 256 * 1024
// Statements and the enclave end sooner; this is for several of them in a row, and for what never says anything.
const answerLimitMs = 5_000
const corsLanes = new Set(['publishable', 'wallet', 'publishable_or_secret'])

/** Counts and times answers. */
export type HttpMetrics = { answered(route: Route | undefined, status: number, seconds: number): void }

export type HttpOptions = {
  bound: readonly Bound[]
  lanes: Lanes
  idempotency: Idempotency
  ids: Ids
  log: Log
  metrics: HttpMetrics
  /** Proxies whose `X-Forwarded-For` is believed, as addresses or CIDR ranges. */
  trustedProxies: readonly string[]
  /** Development and tests: an answer that breaks its own schema is an internal error. */
  areAnswersChecked: boolean
}

/** One answer on its way: what the hooks and the error path need to know of its request. */
type Context = {
  requestId: string
  startedAt: number
  route?: Route
  corsOrigin?: string
  permit?: Permit
  rawBody?: Uint8Array
}

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be merged with the framework's.
  interface FastifyRequest {
    context: Context
    admitted: Awaited<ReturnType<Lanes['admit']>>
  }
}

/**
 * The HTTP service over the bound routes. Each request walks one way: shape, route, lane (credential), limit, parse,
 * handler, envelope; every failure on the way leaves through the same door.
 */
export function httpServer(options: HttpOptions): FastifyInstance {
  const { bound, lanes, ids, log, metrics } = options
  const routes = bound.map(({ route }) => route)
  const app = Fastify({
    bodyLimit: bodyBytesMax,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    logger: false,
    exposeHeadRoutes: true,
    ...httpTimeouts,
    clientErrorHandler: refuseMalformed,
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 256 },
    frameworkErrors: (error, request, reply) => fail(error, request, reply),
  })

  app.decorateRequest('context', null as never)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.context.rawBody = body as Buffer
    try {
      done(null, body.length === 0 ? undefined : parseJsonBody(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  const deadline = answerDeadline(answerLimitMs, (request, reply) =>
    fail(new ApiError('unavailable', { detail: { lateAfterMs: answerLimitMs } }), request, reply),
  )
  app.addHook('onClose', async () => deadline.close())
  app.addHook('onRequest', (request, reply, done) => {
    deadline.begin(request, reply)
    request.context = { requestId: ids.next(), startedAt: performance.now() }
    try {
      checkShape(request.raw)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('onResponse', (request, reply, done) => {
    deadline.end(request)
    const { route, startedAt } = request.context
    metrics.answered(route, reply.statusCode, (performance.now() - startedAt) / 1000)
    done()
  })

  app.setErrorHandler((error, request, reply) => fail(error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(routes, request.url)
    if (allowed.length === 0) return fail(new ApiError('not_found'), request, reply)
    reply.header('allow', allowed.join(', '))
    return fail(new ApiError('method_not_allowed'), request, reply)
  })

  function fail(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const context = request.context ?? { requestId: ids.next(), startedAt: performance.now() }
    const answer = errorAnswer(error, context.route)
    const fields = { requestId: context.requestId, route: context.route?.id, code: answer.error.code }
    if (answer.error.status >= 500)
      log.error({ ...fields, err: error, detail: answer.error.detail }, 'answered with a failure')
    else log.debug({ ...fields, detail: answer.error.detail }, 'refused')
    if (answer.error.retryAfterSeconds !== undefined)
      reply.header('retry-after', String(answer.error.retryAfterSeconds))
    return send(context, reply, answer.error.status, answer.body)
  }

  function send(context: Context, reply: FastifyReply, status: number, body: string | undefined) {
    reply.code(status).header('x-request-id', context.requestId)
    const { corsOrigin, permit } = context
    if (corsOrigin !== undefined) reply.headers(corsHeaders(corsOrigin))
    if (permit !== undefined) {
      reply.header('ratelimit-limit', String(permit.burst))
      reply.header('ratelimit-remaining', String(permit.remaining))
      reply.header('ratelimit-reset', String(Math.ceil(permit.resetSeconds)))
    }
    if (body === undefined) return reply.send()
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(body)
  }

  for (const { route, handle } of bound) {
    const isChecked = options.areAnswersChecked ? route.data : undefined

    const answer = async (input: object): Promise<{ status: number; body: string | undefined }> => {
      const data = await handle(input as never)
      isChecked?.parse(data)
      if (route.status === 204) return { status: 204, body: undefined }
      return { status: route.status, body: route.raw ? JSON.stringify(data) : successBody(data) }
    }

    app.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      onRequest: async (request) => {
        const { context } = request
        context.route = route
        const { headers } = request
        const admitted = await lanes.admit(
          route,
          {
            authorization: headers.authorization,
            publishableKey: single(headers['x-service-publishable-key']),
            origin: headers.origin,
            address: request.ip,
          },
          (origin) => {
            if (corsLanes.has(route.lane)) context.corsOrigin = origin
          },
        )
        request.admitted = admitted
        const { permit } = admitted
        if (permit === undefined) return
        context.permit = permit
        if (!permit.granted) {
          throw new ApiError('rate_limited', {
            retryAfterSeconds: Math.max(1, Math.ceil(permit.retrySeconds)),
          })
        }
      },
      handler: async (request, reply) => {
        const { context, admitted } = request
        const input = {
          ...parseInput(route, { params: request.params, query: request.query, body: request.body }),
          fail: makeError,
          caller: admitted.caller,
          requestId: context.requestId,
          request: { origin: request.headers.origin, address: request.ip },
        }
        const key = route.method === 'POST' ? single(request.headers['idempotency-key']) : undefined
        if (key === undefined) {
          const { status, body } = await answer(input)
          return send(context, reply, status, body)
        }
        const { status, body, isReplay } = await onceOnly(options.idempotency, {
          route,
          credentialId: admitted.credentialId,
          path: request.url,
          key,
          rawBody: context.rawBody ?? new Uint8Array(0),
          run: () => answer(input),
          refuse: (error) => {
            const refused = errorAnswer(error, route)
            return { status: refused.error.status, body: refused.body }
          },
        })
        if (isReplay) reply.header('idempotent-replayed', 'true')
        return send(context, reply, status, body)
      },
    })
  }

  mountPreflights(app, routes, lanes)
  return app
}

const makeError = (...parameters: ConstructorParameters<typeof ApiError>) => new ApiError(...parameters)

const single = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

function mountPreflights(app: FastifyInstance, routes: readonly Route[], lanes: Lanes) {
  const methods = new Map<string, string[]>()
  for (const { lane, path, method } of routes) {
    if (!corsLanes.has(lane)) continue
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    methods.set(url, [...(methods.get(url) ?? []), method])
  }
  for (const [url, allowed] of methods) {
    app.options(url, async (request, reply) => {
      const { origin } = request.headers
      if (origin !== undefined && (await lanes.isOriginListed(origin)))
        reply.headers(preflightHeaders(origin, allowed))
      return reply.code(204).header('x-request-id', request.context.requestId).send()
    })
  }
}
