import { ApiError } from '@symbolon/api'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Ids } from '../ports/clock.ts'
import type { HttpMetrics } from '../ports/http-metrics.ts'
import type { Log } from '../ports/log.ts'
import { answerDeadline } from './answer-deadline.ts'
import { errorAnswer } from './answer-error.ts'
import type { Bound } from './handler.ts'
import { checkShape, closingTimeMs, httpTimeouts, isContinue, refuseMalformed } from './harden.ts'
import type { Idempotency } from './idempotency.ts'
import { parseJsonBody } from './json-body.ts'
import type { Lanes } from './lanes.ts'
import { methodsAt } from './methods-at.ts'
import { mountPreflights } from './mount-preflights.ts'
import { mountRoute } from './mount-route.ts'
import type { RequestContext } from './request-context.ts'
import { requestSignals } from './request-signal.ts'
import { sendAnswer } from './send-answer.ts'

const bodyBytesMax = 256 * 1024
// Statements and the enclave end sooner; this is for several of them in a row, and for what never says anything. A route
// that waits for a chain has a limit of its own.
const answerLimitMs = 5_000
const closingSweepMs = 50
/** RFC 9110, section 8.3.1, the parameters unread. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;.*)?$/

/** What the HTTP service is built from. */
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
  /** The platform is served over https. */
  isSecure: boolean
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
    // Fastify hands these on to Node only here, and sets the two it knows itself over them.
    http: { ...httpTimeouts, requireHostHeader: false },
    requestTimeout: httpTimeouts.requestTimeout,
    keepAliveTimeout: httpTimeouts.keepAliveTimeout,
    clientErrorHandler: (error, socket) => refuseMalformed(error, socket, ids.next()),
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 256 },
    frameworkErrors: (error, request, reply) => fail(error, request, reply),
  })

  // Node would answer those with expectations that it does not know itself, without our envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Node would tell those to go on, too, that expect more than that.
  app.server.on('checkContinue', (request, response) => {
    if (isContinue(request.headers.expect)) response.writeContinue()
    app.server.emit('request', request, response)
  })

  let closing: NodeJS.Timeout[] = []
  app.addHook('preClose', (done) => {
    closing = [
      // Node ends those that are idle now; the others would stay for their next request once they have this answer.
      setInterval(() => app.server.closeIdleConnections(), closingSweepMs),
      setTimeout(() => app.server.closeAllConnections(), closingTimeMs),
    ]
    done()
  })
  app.addHook('onClose', (_app, done) => {
    for (const timer of closing) clearTimeout(timer)
    done()
  })

  app.decorateRequest('context', null as never)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.context.rawBody = body as Buffer
    try {
      done(null, body.length === 0 ? undefined : parseJsonBody(body as Buffer))
    } catch (error) {
      request.context.isUnreadable = true
      done(error as Error)
    }
  })

  const deadline = answerDeadline(answerLimitMs, (request, reply, lateAfterMs) =>
    fail(new ApiError('unavailable', { detail: { lateAfterMs } }), request, reply),
  )
  app.addHook('onClose', async () => deadline.close())
  app.addHook('onRequest', (request, reply, done) => {
    deadline.begin(request, reply, request.routeOptions.config.answerLimitMs)
    begin(request, reply)
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
    const isKnown = methodsAt(routes, request.url).length > 0
    return fail(new ApiError(isKnown ? 'method_not_allowed' : 'not_found'), request, reply)
  })

  function begin(request: FastifyRequest, reply: FastifyReply): RequestContext {
    request.context = { requestId: ids.next(), startedAt: performance.now() }
    // Here, so that whoever answers bears it: pages, files and metrics too.
    reply.raw.setHeader('x-request-id', request.context.requestId)
    return request.context
  }

  function fail(thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
    // What the framework could not route has not begun.
    const context = request.context ?? begin(request, reply)
    const { error, body } = errorAnswer(thrown, context.route)
    const { status, code, detail, retryAfterSeconds } = error
    const fields = { requestId: context.requestId, route: context.route?.id, code, detail }
    if (status >= 500) log.error({ ...fields, err: thrown }, 'answered with a failure')
    else log.debug(fields, 'refused')
    const headers: Record<string, string> = {}
    if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
    if (status === 401) headers['www-authenticate'] = 'Bearer'
    if (code === 'method_not_allowed') headers['allow'] = methodsAt(routes, request.url).join(', ')
    return sendAnswer(context, reply, { status, body, headers })
  }

  const mounting = { ...options, signalOf: requestSignals(app) }
  for (const each of bound) if (each.route.handler !== 'raw') mountRoute(app, each, mounting)
  // Bodies of free routes stay bytes, whatever they call themselves.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
      request.context.rawBody = body as Buffer
      done(null, undefined)
    })
    // Fastify would refuse what is no media type; the routes have their own words for that.
    scope.addHook('onRequest', (request, _reply, done) => {
      const { headers } = request.raw
      if (!mediaType.test(headers['content-type'] ?? 'a/b'))
        headers['content-type'] = 'application/octet-stream'
      done()
    })
    for (const each of bound) if (each.route.handler === 'raw') mountRoute(scope, each, mounting)
  })
  mountPreflights(app, routes, lanes)
  return app
}
