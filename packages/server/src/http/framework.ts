import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Ids } from '../ports/clock.ts'
import { closingTimeMs, httpTimeouts, isContinue, refuseMalformed } from './harden.ts'
import { parseJsonBody } from './json-body.ts'
import type { ProxyTrust } from './proxy-trust.ts'

const bodyBytesMax = 256 * 1024
const closingSweepMs = 50
/** RFC 9110, section 8.3.1; parameters are not checked. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;.*)?$/

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

/** Parses bodies as JSON and refuses every other media type. */
export function parseJsonBodies(app: FastifyInstance): void {
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
}

/** Keeps bodies of any media type as bytes, for raw handlers. */
export function keepRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    request.context.rawBody = body as Buffer
    done(null, undefined)
  })
  // Fastify would refuse a malformed media type; raw handlers answer it in their own protocol.
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw
    if (!mediaType.test(headers['content-type'] ?? 'a/b'))
      headers['content-type'] = 'application/octet-stream'
    done()
  })
}
