import { ApiError } from '@symbolon/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendFile } from '../../http/send-file.ts'
import { waitingPage } from '../../http/waiting-page.ts'
import type { BuiltPortal } from '../../ports/built-assets.ts'
import { portalAppHeaders } from './portal-app-headers.ts'

const assetsPath = '/portal/assets'
/** Its name changes with its content. */
const forever = 'public, max-age=31536000, immutable'

/**
 * Serves the portal: `/portal` and every address below it is its one page, which finds its way by the address; its files are
 * below `/portal/assets`. Not part of the versioned API: no envelope, and no session is needed to load it.
 */
export function mountPortalApp(
  http: FastifyInstance,
  { assets, baseUrl }: { assets: BuiltPortal; baseUrl: string },
): void {
  const headers = portalAppHeaders(`${baseUrl}${assetsPath}`)

  async function page(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const portal = await assets()
    reply.headers(headers)
    if (portal === undefined)
      return reply.code(503).header('retry-after', '1').send(waitingPage('The portal'))
    return reply.send(portal.page)
  }

  http.get('/portal', page)
  http.get('/portal/*', page)

  http.get<{ Params: { '*': string } }>(`${assetsPath}/*`, async (request, reply) => {
    const file = (await assets())?.files.get(request.params['*'])
    if (file === undefined) throw new ApiError('not_found')
    reply.header('cross-origin-resource-policy', 'same-origin').header('cache-control', forever)
    return sendFile(request, reply, file)
  })
}
