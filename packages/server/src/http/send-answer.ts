import type { FastifyReply } from 'fastify'
import { corsHeaders } from './cors.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Sends an answer of ours: JSON, or nothing with 204, with the headers that its request earned. Straight to Node's response:
 * the framework's own way costs as much again as the rest of the request.
 */
export function sendAnswer(
  context: RequestContext,
  reply: FastifyReply,
  { status, body, headers }: { status: number; body: string | undefined; headers?: Record<string, string> },
): FastifyReply {
  const { corsOrigin, grant, setCookies } = context
  const all: Record<string, string | number | string[]> = { ...headers }
  if (corsOrigin !== undefined) Object.assign(all, corsHeaders(corsOrigin))
  if (grant !== undefined) {
    all['ratelimit-limit'] = grant.burst
    all['ratelimit-remaining'] = grant.remaining
    all['ratelimit-reset'] = Math.ceil(grant.resetSeconds)
  }
  if (setCookies !== undefined) all['set-cookie'] = setCookies
  if (body !== undefined) {
    all['content-type'] = 'application/json; charset=utf-8'
    context.answerBytes = Buffer.byteLength(body)
    all['content-length'] = context.answerBytes
    all['cache-control'] = 'no-store'
  } else if (status === 302) all['content-length'] = 0
  reply.hijack()
  // A request that was given up has its answer already.
  if (reply.raw.headersSent) return reply
  reply.raw.writeHead(status, all).end(body)
  return reply
}
