import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sql } from '../../db/pool.ts'
import { type LinkPage, linkPage, linkPageHeaders } from './link-page.ts'
import { type LinkActions, linksPath, useLink, type Visit, visitLink } from './mailed-links.ts'

const formBytesMax = 1_024

type LinkRequest = FastifyRequest<{ Params: { token: string } }>

/**
 * Serves the pages of links in emails: `GET /links/<token>` shows what the link does, the button of the page posts to the same address and
 * does it. Not part of the versioned API: no envelope around pages, and no login, because who reads the email may press.
 */
export function mountMailedLinks(
  http: FastifyInstance,
  { sql, hashToken, actions }: { sql: Sql; hashToken: (token: string) => Uint8Array; actions: LinkActions },
): void {
  const serve = (answer: typeof useLink) => async (request: LinkRequest, reply: FastifyReply) => {
    const { token } = request.params
    const visit: Visit = /^[0-9a-f]{64}$/.test(token)
      ? await answer(sql, actions, hashToken(token))
      : { outcome: 'unknown' }
    const page = pageOf(visit)
    return reply.code(page.status).headers(linkPageHeaders).send(linkPage(page))
  }
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // The button sends an empty form: whatever the body holds is not read.
    const ignored = { parseAs: 'buffer', bodyLimit: formBytesMax } as const
    scope.addContentTypeParser('*', ignored, (_request, _body, done) => done(null, undefined))
    scope.get(`${linksPath}/:token`, serve(visitLink))
    scope.post(`${linksPath}/:token`, serve(useLink))
  })
}

function pageOf(visit: Visit): LinkPage & { status: number } {
  if (visit.outcome === 'unknown')
    return {
      status: 404,
      title: 'Link not found',
      text: 'Check that you opened the whole link from the email. Old links are deleted.',
    }
  if (visit.outcome === 'past') return { status: 410, ...visit.words }
  const { title, question, button, done } = visit.action.words
  return visit.outcome === 'open'
    ? { status: 200, title, text: question, button }
    : { status: 200, title: 'Done', text: done }
}
