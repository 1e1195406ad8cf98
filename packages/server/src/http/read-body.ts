import { ApiError, limits } from '@symbolon/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { rateLimited } from '../runtime/failure.ts'
import type { FairShares } from '../runtime/fair-shares.ts'
import { bodyWeight } from './body-weight.ts'
import { groupOf } from './fair-group.ts'
import { parseJsonBody } from './json-body.ts'
import { cappedWeight, type Limiter } from './limiter.ts'

/** What bodies are read with. */
export type BodyCtx = { limiter: Limiter; fair: FairShares }

/** RFC 9110, section 8.3.1; parameters are not checked. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;.*)?$/

/** Parses bodies as JSON and refuses every other media type. */
export function parseJsonBodies(app: FastifyInstance, ctx: BodyCtx): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      await receive(ctx, request, body)
      if (body.length === 0) return undefined
      try {
        return await ctx.fair.turns.run(groupOf(request), () => decode(request, body), body.length)
      } catch (error) {
        request.context.isUnreadable = true
        throw error
      }
    },
  )
}

/** Keeps bodies of any media type as bytes, for raw handlers. */
export function keepRawBodies(app: FastifyInstance, ctx: BodyCtx): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer) =>
    receive(ctx, request, body),
  )
  // Fastify would refuse a malformed media type; raw handlers answer it in their own protocol.
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw
    if (!mediaType.test(headers['content-type'] ?? 'a/b'))
      headers['content-type'] = 'application/octet-stream'
    done()
  })
}

async function receive(ctx: BodyCtx, request: FastifyRequest, body: Buffer): Promise<undefined> {
  request.context.rawBody = body
  await countUndeclared(ctx, request, body.length)
}

/** Counts what a body costs beyond the first unit where its length was not declared, so that it was not counted before. */
async function countUndeclared(
  { limiter }: BodyCtx,
  { headers, authenticated, context }: FastifyRequest,
  bytes: number,
): Promise<void> {
  const bucket = authenticated?.bucket
  if (bucket === undefined || headers['content-length'] !== undefined) return
  const more = cappedWeight(bucket.limit ?? limits[bucket.name], bodyWeight(bytes)) - 1
  if (more === 0) return
  context.grant = await limiter.acquire(bucket.name, bucket.key, more, bucket.limit)
  if (!context.grant.isGranted) throw new ApiError('rate_limited', rateLimited(context.grant))
}

/** The value of a JSON body. Above the route's own limit, nothing but a transaction is decoded any further. */
function decode({ context: { route } }: FastifyRequest, body: Buffer): unknown {
  const bytesMax = route?.bodyBytesMax
  if (bytesMax === undefined || body.length <= bytesMax) return parseJsonBody(body)
  return parseJsonBody(body, (value) => {
    if (isTransaction(value)) return
    throw new ApiError('payload_too_large', { message: `The body is larger than ${bytesMax >> 10} KiB.` })
  })
}

const isTransaction = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'transaction'
