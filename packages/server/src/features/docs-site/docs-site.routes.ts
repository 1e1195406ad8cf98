import { ApiError } from '@symbolon/api'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendFile } from '../../http/send-file.ts'
import { waitingPage } from '../../http/waiting-page.ts'
import type { BuiltDocs, BuiltFile, DocsSite } from '../../ports/built-assets.ts'
import { errorPageHeaders, guideHeaders } from './docs-site-headers.ts'

/** Their names change with their content. */
const forever = 'public, max-age=31536000, immutable'

/**
 * Serves the documentation at `/docs`: guides that a script makes quick and searchable, and `/docs/errors/<code>` as plain pages without
 * any. Not part of the versioned API: no envelope around pages.
 */
export function mountDocsSite(
  http: FastifyInstance,
  { docs, baseUrl }: { docs: BuiltDocs; baseUrl: string },
): void {
  const docsUrl = `${baseUrl}/docs`

  http.get('/docs', (_request, reply) => reply.redirect('/docs/', 308))

  http.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const path = request.params['*']
    const site = await docs()
    if (site === undefined) return waiting(reply)
    const found = await fileAt(site, path)
    const file = found ?? (await site.file(path.startsWith('errors/') ? 'errors/404.html' : '404.html'))
    if (file === undefined || (found === undefined && path.startsWith('assets/')))
      throw new ApiError('not_found')
    if (found === undefined) reply.code(404)
    return sendFile(request, reply.headers(headersOf(file, docsUrl, site)), file)
  })
}

/** A page is found without `.html`, a folder's page by the folder. */
async function fileAt(site: DocsSite, path: string): Promise<BuiltFile | undefined> {
  if (path === '' || path.endsWith('/')) return site.file(`${path}index.html`)
  return (await site.file(path)) ?? (await site.file(`${path}.html`))
}

function headersOf(file: BuiltFile, docsUrl: string, site: DocsSite): Record<string, string> {
  if (file.name.startsWith('assets/'))
    return { 'cache-control': forever, 'cross-origin-resource-policy': 'same-origin' }
  return /^errors\/(?!index\.html$)/.test(file.name) ? errorPageHeaders(docsUrl) : guideHeaders(docsUrl, site)
}

const waitingPolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

function waiting(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .headers({
      'retry-after': '1',
      'cache-control': 'no-store',
      'content-security-policy': waitingPolicy,
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(waitingPage('The documentation'))
}
