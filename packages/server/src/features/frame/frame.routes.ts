import { ApiError } from '@symbolon/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BuiltFile } from '../../ports/built-assets.ts'
import type { Frame } from './frame.ts'
import { assetsPath } from './frame-page.ts'

/** Its name changes with its content. */
const forever = 'public, max-age=31536000, immutable'
const shortly = 'public, max-age=300'

/**
 * Serves `GET /frame?publishable_key=…`, the files that it loads below `/frame/assets`, and `GET /sdk.js` for
 * `<script type="module">` on any page. Not part of the versioned API: pages and files, no envelope.
 */
export function mountFrame(http: FastifyInstance, frame: Frame): void {
  http.get<{ Querystring: { publishable_key?: unknown } }>('/frame', async ({ query }, reply) => {
    const { status, headers, html } = await frame.page(query.publishable_key)
    return reply.code(status).headers(headers).send(html)
  })

  http.get<{ Params: { name: string } }>(`${assetsPath}/:name`, async (request, reply) => {
    const file = await frame.asset(request.params.name)
    if (file === undefined) throw new ApiError('not_found')
    reply.header('cross-origin-resource-policy', 'same-origin').header('cache-control', forever)
    return sendFile(request, reply, file)
  })

  http.get('/sdk.js', async (request, reply) => {
    const file = await frame.sdk()
    if (file === undefined) throw new ApiError('unavailable', { retryAfterSeconds: 2 })
    reply
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', shortly)
    return sendFile(request, reply, file)
  })
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  const etag = `W/"${file.integrity}"`
  reply.header('etag', etag).header('x-content-type-options', 'nosniff').header('vary', 'accept-encoding')
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim())
  if (known.includes(etag)) return reply.code(304).send()
  reply.type(file.type)
  const isGzipTaken = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    request.headers['accept-encoding'] ?? '',
  )
  return isGzipTaken ? reply.header('content-encoding', 'gzip').send(file.gzipped) : reply.send(file.body)
}
