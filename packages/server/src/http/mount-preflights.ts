import type { Route } from '@symbolon/api'
import type { FastifyInstance } from 'fastify'
import type { FairShares } from '../runtime/fair-shares.ts'
import type { AuthSchemes } from './auth/auth-schemes.ts'
import { preflightHeaders } from './cors.ts'
import { groupOf } from './fair-group.ts'
import { corsLanes, frameworkPath } from './mount-route.ts'
import { sendAnswer } from './send-answer.ts'

/** Answers preflights on the paths that pages call: for any origin that some organization lists, or for all where the route is for anybody's page. */
export function mountPreflights(
  app: FastifyInstance,
  routes: readonly Route[],
  { authSchemes, fair }: { authSchemes: AuthSchemes; fair: FairShares },
): void {
  for (const [url, { methods, isForAnybody }] of pagePaths(routes)) {
    app.options(url, async ({ context, ip, headers: { origin } }, reply) => {
      const isListed = async (asked: string) =>
        fair.onBehalfOf(groupOf({ ip }), () => authSchemes.isOriginListed(asked))
      const isAllowed = origin !== undefined && !isForAnybody && (await isListed(origin))
      const allowed = isForAnybody ? '*' : isAllowed ? origin : undefined
      const headers = allowed === undefined ? {} : preflightHeaders(allowed, methods)
      return sendAnswer(context, reply, { status: 204, body: undefined, headers })
    })
  }
}

type PagePath = { methods: string[]; isForAnybody: boolean }

function pagePaths(routes: readonly Route[]): ReadonlyMap<string, PagePath> {
  const paths = new Map<string, PagePath>()
  for (const { lane, path, method, cors } of routes) {
    const isForAnybody = cors === 'any'
    if (!isForAnybody && !corsLanes.has(lane)) continue
    const url = frameworkPath(path)
    const methods = paths.get(url)?.methods ?? []
    paths.set(url, { methods: [...methods, method], isForAnybody })
  }
  return paths
}
