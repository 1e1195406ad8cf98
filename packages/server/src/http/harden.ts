import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, type ErrorCode, errors } from '@symbolon/api'

/** Time limits of Node's HTTP server: a slow client holds nothing. All of them are options of `createServer`. */
export const httpTimeouts = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
} as const

/** How long a closing server waits for requests under way; then Node no longer looks for slow clients, so we end them. */
export const closingTimeMs = httpTimeouts.requestTimeout

const headersMax = 100
const once = new Set([
  'host',
  'authorization',
  'content-length',
  'content-type',
  'x-service-publishable-key',
  'x-service-device',
  'idempotency-key',
  'origin',
  'expect',
])

/** Whether that is the one expectation that HTTP knows (RFC 9110, section 10.1.1). */
export const isContinue = (expect: string | undefined): boolean => expect?.toLowerCase() === '100-continue'

/**
 * Refuses what another HTTP parser on the way could read differently: a repeated header that must be unique, a target that is not a path,
 * more than 100 headers, an unknown expectation. Node's parser has already refused conflicting lengths and bad framing.
 */
export function checkShape(message: IncomingMessage): void {
  const { rawHeaders, url } = message
  if (url === undefined || !url.startsWith('/') || url.startsWith('//'))
    throw refused('The request target must be a path.')
  // Node would answer a missing Host itself, without our envelope; HTTP/0.9 knows neither headers nor status.
  if (message.httpVersionMajor !== 1) throw refused('The request must be HTTP/1.1.')
  if (message.httpVersion === '1.1' && message.headers.host === undefined)
    throw refused('The Host header is missing.')
  if (message.headers.expect !== undefined && !isContinue(message.headers.expect))
    throw refused('The Expect header must be 100-continue.')
  if (rawHeaders.length > 2 * headersMax) throw refused(`The request has more than ${headersMax} headers.`)
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase()
    if (!once.has(name)) continue
    if (seen.has(name)) throw refused(`The header ${name} is repeated.`)
    seen.add(name)
  }
}

const refused = (message: string) => new ApiError('invalid_request', { message })

/**
 * Answers what Node could not parse as a request, in the envelope, and closes the connection. What did not arrive in time can be sent again:
 * on a busy machine that says nothing of the client.
 */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { status, code, message, header = '' } = malformed.get(error.code ?? '') ?? unreadable
  const body = JSON.stringify({ data: null, error: { code, message } })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n${header}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    // A peer that never reads must not keep the socket.
    () => socket.destroySoon(),
  )
}

type Malformed = { status: string; code: ErrorCode; message: string; header?: string }

const unreadable: Malformed = {
  status: '400 Bad Request',
  code: 'invalid_request',
  message: errors.invalid_request.message,
}

/** By the codes of Node's errors. */
const malformed: ReadonlyMap<string, Malformed> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    {
      status: '413 Payload Too Large',
      code: 'payload_too_large',
      message: "The request's address or headers are too long.",
    },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    {
      status: '503 Service Unavailable',
      code: 'unavailable',
      message: 'The request did not arrive in time. Send it again.',
      header: 'Retry-After: 1\r\n',
    },
  ],
])
