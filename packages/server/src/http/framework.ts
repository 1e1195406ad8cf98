import { bodyBytesMax } from '@symbolon/api'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Ids } from '../ports/clock.ts'
import { closingTimeMs, httpTimeouts, isContinue, refuseMalformed } from './harden.ts'
import type { ProxyTrust } from './proxy-trust.ts'

const closingSweepMs = 50

/** Fastify with our limits. `fail` answers the errors of requests that it cannot route. */
export function framework(options: {
  ids: Ids
  isTrustedProxy: ProxyTrust
  fail: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => FastifyReply
}): FastifyInstance {
  const app = Fastify({
    bodyLimit: bodyBytesMax,
    // The client is the rightmost address of `X-Forwarded-For` that is not a trusted proxy's.
    trustProxy: (address) => options.isTrustedProxy(address),
    logger: false,
    exposeHeadRoutes: true,
    // Fastify passes these to Node only from here, and overrides the two that it has options for.
    http: { ...httpTimeouts, requireHostHeader: false },
    requestTimeout: httpTimeouts.requestTimeout,
    keepAliveTimeout: httpTimeouts.keepAliveTimeout,
    clientErrorHandler: (error, socket) => refuseMalformed(error, socket, options.ids.next()),
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 256 },
    frameworkErrors: options.fail,
  })
  app.decorateRequest('context', null as never)
  handleExpectations(app)
  closeConnections(app)
  return app
}

/** Answers requests with an `Expect` header ourselves: Node would answer unknown expectations without the envelope. */
function handleExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // Node emits this also for requests that expect more than `100-continue`.
  server.on('checkContinue', (request, response) => {
    if (isContinue(request.headers.expect)) response.writeContinue()
    server.emit('request', request, response)
  })
}

/** Closes connections when the server closes: idle ones as they become idle, the others after a while. */
function closeConnections(app: FastifyInstance): void {
  let closing: NodeJS.Timeout[] = []
  app.addHook('preClose', (done) => {
    closing = [
      // Node closes the idle ones once; connections that become idle later would wait for their next request.
      setInterval(() => app.server.closeIdleConnections(), closingSweepMs),
      setTimeout(() => app.server.closeAllConnections(), closingTimeMs),
    ]
    done()
  })
  app.addHook('onClose', (_app, done) => {
    for (const timer of closing) clearTimeout(timer)
    done()
  })
}
