import { ApiError, getFrame } from '@symbolon/api'
import type { FastifyInstance } from 'fastify'
import { checkPublishableKey, type KeyCheckCtx } from '../../http/auth/publishable-key.ts'
import { on } from '../../http/handler.ts'
import { sendFile } from '../../http/send-file.ts'
import { type FrameCtx, frameAsset, frameDocumentOf, frameOf } from './frame.ts'
import { plainHeaders } from './frame-headers.ts'
import { assetsPath, documentPath } from './frame-page.ts'
import { frameRequests, keepApart } from './frame-requests.ts'

/** For files whose name changes with their content. */
const forever = 'public, max-age=31536000, immutable'
const shortly = 'public, max-age=300'

/**
 * Serves `GET /frame?publishable_key=…` (at `/` too, where the frame has an origin of its own), the files that it loads below
 * `/frame/assets`, the page without its configuration at `/frame/document`, and `GET /sdk.js` for `<script type="module">` on any page. These are pages and files without an envelope, not part of
 * the versioned API. The frame's origin serves the frame alone, and the platform's own serves no frame.
 */
export function mountFrame(
  http: FastifyInstance,
  ctx: FrameCtx & { homePath?: string | undefined },
  framePort?: number,
): void {
  const { ownOrigin, frameOrigin } = ctx.originRules
  const isApart = frameOrigin !== ownOrigin
  if (isApart) keepApart(http, frameRequests(frameOrigin, framePort), ctx.homePath)
  for (const path of isApart ? ['/', '/frame'] : ['/frame'])
    http.get<{ Querystring: { publishable_key?: unknown } }>(path, async ({ query }, reply) => {
      const { status, headers, html } = await frameOf(ctx, query.publishable_key)
      return reply.code(status).headers(headers).send(html)
    })

  http.get<{ Params: { name: string } }>(`${assetsPath}/:name`, async (request, reply) => {
    const file = await frameAsset(ctx, request.params.name)
    if (file === undefined) throw new ApiError('not_found')
    reply.header('cross-origin-resource-policy', 'same-origin').header('cache-control', forever)
    return sendFile(request, reply, file)
  })

  // As text: it is there to be hashed, not to run.
  http.get(documentPath, async (_request, reply) => {
    const document = await frameDocumentOf(ctx)
    if (document === undefined) throw new ApiError('unavailable', { retryAfterSeconds: 2 })
    return reply.headers({ ...plainHeaders, 'content-type': 'text/plain; charset=utf-8' }).send(document)
  })

  http.get('/sdk.js', async (request, reply) => {
    const file = await ctx.assets.sdk()
    if (file === undefined) throw new ApiError('unavailable', { retryAfterSeconds: 2 })
    reply
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', shortly)
    return sendFile(request, reply, file)
  })
}

/** `GET /v1/frame`: where the frame is, for a page that may use the key that it names. */
export const frameRoutes = (ctx: KeyCheckCtx) => [
  on(getFrame, async ({ query: { publishable_key: publishableKey }, request: { origin } }) => {
    // Without the key's header, a page needs no preflight, and so learns what a refused one would hide.
    if (publishableKey !== undefined)
      await checkPublishableKey(ctx, { credentials: { publishableKey, origin }, onOrigin: () => undefined })
    return { url: ctx.originRules.frameOrigin }
  }),
]
