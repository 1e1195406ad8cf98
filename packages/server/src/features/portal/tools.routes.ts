import { ApiError } from '@symbolon/api'
import type { FastifyInstance } from 'fastify'
import { sendFile } from '../../http/send-file.ts'
import type { BuiltTools } from '../../ports/built-assets.ts'

/**
 * Serves the tools that work without the platform, to be downloaded: `GET /tools/verify.js`, `/tools/rescue.js` and
 * `/tools/rescue.html`. They are saved and never shown: a page that takes shares has no business on the platform's origin.
 */
export function mountTools(http: FastifyInstance, tools: BuiltTools): void {
  for (const name of tools.names)
    http.get(`/tools/${name}`, async (request, reply) => {
      const file = await tools.tool(name)
      if (file === undefined) throw new ApiError('unavailable', { retryAfterSeconds: 2 })
      reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .header(
          'content-security-policy',
          "default-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'; sandbox",
        )
        .header('cross-origin-resource-policy', 'same-origin')
        .header('cache-control', 'public, max-age=300')
      return sendFile(request, reply, file)
    })
}
