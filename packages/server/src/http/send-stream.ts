import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import type { Log } from '../ports/log.ts'
import type { RequestContext } from './request-context.ts'

const stalledMs = 60_000

/**
 * Sends chunks as they are made, no faster than the caller reads them. The first one is made before the status leaves, so that
 * what fails at once is answered as usual; a failure later breaks the connection off, so that nobody takes a part for the whole.
 */
export async function sendStream(
  { requestId }: RequestContext,
  reply: FastifyReply,
  { contentType, chunks, log }: { contentType: string; chunks: AsyncIterable<string>; log: Log },
): Promise<FastifyReply> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  reply.hijack()
  if (reply.raw.headersSent) {
    await iterator.return?.()
    return reply
  }
  reply.raw.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' })
  // Nothing of it is sent, so nothing of it is made.
  if (reply.request.method === 'HEAD') {
    await iterator.return?.()
    reply.raw.end()
    return reply
  }
  // Somebody who takes nothing for so long has left: neither the log nor the connection is kept for them.
  reply.raw.setTimeout(stalledMs, () => reply.raw.destroy())
  await pipeline(Readable.from(rest(first, iterator)), reply.raw).catch((error: unknown) => {
    reply.raw.destroy()
    if (isHungUp(error)) log.debug({ requestId }, 'a client closed its stream')
    else log.error({ requestId, err: error }, 'a stream broke off')
  })
  return reply
}

async function* rest(first: IteratorResult<string>, iterator: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}

const isHungUp = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ECONNRESET' || error.code === 'EPIPE')
