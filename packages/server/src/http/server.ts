import { ApiError, type Route } from '@symbolon/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ids } from '../ports/clock.ts'
import type { HttpMetrics } from '../ports/http-metrics.ts'
import type { Log } from '../ports/log.ts'
import type { FairShares } from '../runtime/fair-shares.ts'
import { answerDeadline } from './answer-deadline.ts'
import { errorAnswer } from './answer-error.ts'
import { checkHost } from './answered-hosts.ts'
import type { AuthSchemes } from './auth/auth-schemes.ts'
import { answerWeight } from './body-weight.ts'
import { groupOf } from './fair-group.ts'
import { framework } from './framework.ts'
import type { Bound } from './handler.ts'
import { checkShape } from './harden.ts'
import type { Idempotency } from './idempotency.ts'
import type { Limiter } from './limiter.ts'
import { type LogFailure, logFailure } from './log-failure.ts'
import { methodsAt } from './methods-at.ts'
import { mountPreflights } from './mount-preflights.ts'
import { mountRoute } from './mount-route.ts'
import { type ProxyTrust, proxyTrust } from './proxy-trust.ts'
import { keepRawBodies, parseJsonBodies } from './read-body.ts'
import type { RequestContext } from './request-context.ts'
import { requestSignals } from './request-signal.ts'
import { sendAnswer } from './send-answer.ts'

// Longer than the limits of statements and of the enclave: this covers several of them in a row, and calls without a limit. Routes
// that wait for a chain have their own limit.
const answerLimitMs = 5_000
/** RFC 6797: a year. Other hosts of the domain are not ours to bind. */
const transportSecurity = 'max-age=31536000'

/** What the HTTP service is built from. */
export type HttpOptions = {
  bound: readonly Bound[]
  authSchemes: AuthSchemes
  idempotency: Idempotency
  limiter: Limiter
  fair: FairShares
  ids: Ids
  log: Log
  metrics: HttpMetrics
  /** Proxies whose `X-Forwarded-For` is believed, as addresses or CIDR ranges. */
  trustedProxies: readonly string[]
  /** Development: the host names that are answered, apart from those of the loopback interface; every name when absent. */
  answeredHosts?: readonly string[] | undefined
  /** Development and tests: an answer that breaks its own schema is an internal error. */
  areAnswersChecked: boolean
  /** The platform is served over https. */
  isSecure: boolean
}

type FailCtx = { routes: readonly Route[]; say: LogFailure; ids: Ids; isSecure: boolean }

/**
 * The HTTP service over the bound routes. Every request takes the same steps: check its shape, find its route, authenticate, limit,
 * parse, handle, respond. Every error leaves through `answerFailure`.
 */
export function httpServer(options: HttpOptions): FastifyInstance {
  const { bound, ids, log } = options
  const routes = bound.map(({ route }) => route)
  const failCtx: FailCtx = { routes, say: logFailure(log), ids, isSecure: options.isSecure }
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    answerFailure(failCtx, error, request, reply)

  const isTrustedProxy = proxyTrust(options.trustedProxies)
  const app = framework({ ids, isTrustedProxy, fail })
  trackRequests(app, { ...options, isTrustedProxy }, fail)
  // From then on nobody listens, and an error of `accept` (no file descriptor left) would end the process.
  app.addHook('onListen', async () => {
    app.server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'))
  })
  app.setErrorHandler(fail)
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsAt(routes, request.url)
    const error =
      methods.length > 0
        ? new ApiError('method_not_allowed', { message: `This address takes ${methods.join(' and ')} only.` })
        : new ApiError('not_found', {
            message: 'Nothing has this address. The API reference lists all routes.',
          })
    return fail(error, request, reply)
  })

  const ctx = { ...options, signalOf: requestSignals(app) }
  parseJsonBodies(app, options)
  for (const each of bound) if (each.route.handler !== 'raw') mountRoute(app, each, ctx)
  app.register(async (scope) => {
    keepRawBodies(scope, options)
    for (const each of bound) if (each.route.handler === 'raw') mountRoute(scope, each, ctx)
  })
  mountPreflights(app, routes, options)
  return app
}

/** Gives every request its context and its deadline, refuses malformed ones, and measures the answers. */
function trackRequests(
  app: FastifyInstance,
  {
    ids,
    metrics,
    answeredHosts,
    isTrustedProxy,
    isSecure,
    limiter,
  }: HttpOptions & { isTrustedProxy: ProxyTrust },
  fail: (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  const deadline = answerDeadline(answerLimitMs, (request, reply, lateAfterMs) =>
    fail(new ApiError('unavailable', { detail: { lateAfterMs } }), request, reply),
  )
  app.addHook('onClose', async () => deadline.close())
  app.addHook('onRequest', (request, reply, done) => {
    deadline.begin(request, reply, request.routeOptions.config.answerLimitMs)
    begin({ ids, isSecure }, request, reply)
    try {
      checkShape(request.raw)
      if (answeredHosts !== undefined) checkHost(request.raw.headers.host, answeredHosts)
      if (
        request.raw.headers['x-forwarded-for'] !== undefined &&
        !isTrustedProxy(request.raw.socket.remoteAddress)
      )
        metrics.forwardedIgnored()
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('onResponse', (request, reply, done) => {
    deadline.end(request)
    const { route, startedAt } = request.context
    metrics.answered(route, reply.statusCode, (performance.now() - startedAt) / 1000)
    // Where the database is out of reach, the next request is refused anyway.
    chargeAnswer(limiter, request).catch(() => {})
    done()
  })
}

/** A long answer costs units of the rate limit too, which the next requests of the same bucket wait for. */
async function chargeAnswer(limiter: Limiter, { authenticated, context }: FastifyRequest): Promise<void> {
  const units = answerWeight(context.answerBytes ?? 0)
  const bucket = authenticated?.bucket
  if (units > 0 && bucket !== undefined) await limiter.charge(bucket.name, bucket.key, units)
}

function begin(
  { ids, isSecure }: Pick<HttpOptions, 'ids' | 'isSecure'>,
  request: FastifyRequest,
  reply: FastifyReply,
): RequestContext {
  request.context = { requestId: ids.next(), startedAt: performance.now() }
  // Set here, so that every answer has it: pages, files and metrics too.
  reply.raw.setHeader('x-request-id', request.context.requestId)
  if (isSecure) reply.raw.setHeader('strict-transport-security', transportSecurity)
  return request.context
}

function answerFailure(
  { routes, say, ...answering }: FailCtx,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // A request that the framework could not route has no context yet.
  const context = request.context ?? begin(answering, request, reply)
  const { error, body } = errorAnswer(thrown, context.route)
  const { status, code, retryAfterSeconds } = error
  const fields = { requestId: context.requestId, route: context.route?.id, code, group: groupOf(request) }
  say(thrown, error, fields)
  const headers: Record<string, string> = {}
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (code === 'method_not_allowed') headers['allow'] = methodsAt(routes, request.url).join(', ')
  return sendAnswer(context, reply, { status, body, headers })
}
