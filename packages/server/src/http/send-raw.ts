import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import type { Log } from '../ports/log.ts'
import type { RawAnswer } from './raw-handler.ts'
import type { RequestContext } from './request-context.ts'

const stalledMs = 60_000

/**
 * Sends the answer of a free route: its own headers with request id and rate. Chunks go out as they are made; a stream whose end
 * nobody takes any more is broken off.
 */
export async function sendRaw(
  { requestId, grant }: RequestContext,
  reply: FastifyReply,
  { status, headers, body }: RawAnswer,
  log: Log,
): Promise<FastifyReply> {
  const all: Record<string, string | number> = {
    'cache-control': 'no-store',
    ...headers,
  }
  if (grant !== undefined) {
    all['ratelimit-limit'] = grant.burst
    all['ratelimit-remaining'] = grant.remaining
    all['ratelimit-reset'] = Math.ceil(grant.resetSeconds)
  }
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  if (isWhole && status !== 204 && status !== 304) all['content-length'] = Buffer.byteLength(body)
  reply.hijack()
  // A request that was given up has its answer already.
  if (reply.raw.headersSent) {
    if (!isWhole) await body[Symbol.asyncIterator]().return?.()
    return reply
  }
  reply.raw.writeHead(status, all)
  if (isWhole) {
    reply.raw.end(status === 204 || status === 304 ? undefined : body)
    return reply
  }
  reply.raw.flushHeaders()
  reply.raw.setTimeout(stalledMs, () => reply.raw.destroy())
  await pipeline(Readable.from(body), reply.raw).catch((error: unknown) => {
    reply.raw.destroy()
    log.debug({ requestId, err: error }, 'a stream broke off')
  })
  return reply
}
