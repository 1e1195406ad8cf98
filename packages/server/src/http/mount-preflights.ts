import type { Route } from '@symbolon/api'
import type { FastifyInstance } from 'fastify'
import type { AuthSchemes } from './auth/auth-schemes.ts'
import { preflightHeaders } from './cors.ts'
import { corsLanes, frameworkPath } from './mount-route.ts'
import { sendAnswer } from './send-answer.ts'

/** Answers preflights on the paths that pages call, for any origin that some organization lists. */
export function mountPreflights(
  app: FastifyInstance,
  routes: readonly Route[],
  authSchemes: AuthSchemes,
): void {
  const methods = new Map<string, string[]>()
  for (const { lane, path, method } of routes) {
    if (!corsLanes.has(lane)) continue
    const url = frameworkPath(path)
    methods.set(url, [...(methods.get(url) ?? []), method])
  }
  for (const [url, allowed] of methods) {
    app.options(url, async ({ context, headers: { origin } }, reply) => {
      const isListed = origin !== undefined && (await authSchemes.isOriginListed(origin))
      const headers = isListed ? preflightHeaders(origin, allowed) : {}
      return sendAnswer(context, reply, { status: 204, body: undefined, headers })
    })
  }
}
