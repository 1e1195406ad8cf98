import { ApiError, Id, type Route } from '@symbolon/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { rateLimited } from '../runtime/failure.ts'
import { type AnswerCtx, answerRequest, type Mounted, reportMalformed } from './answer-request.ts'
import type { Credentials } from './auth/auth-scheme.ts'
import type { AuthSchemes } from './auth/auth-schemes.ts'
import { declaredWeight } from './body-weight.ts'
import { groupOf } from './fair-group.ts'
import type { Bound } from './handler.ts'
import type { RateGrant } from './limiter.ts'
import { readCookie } from './session-cookie.ts'

/** The lanes that pages call, whose answers carry CORS headers. */
export const corsLanes: ReadonlySet<string> = new Set(['publishable', 'wallet', 'publishable_or_secret'])

/** The framework's spelling of a path with parameters in braces. */
export const frameworkPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

// The framework's errors for bodies that it does not even read: too long, or of another media type.
const unreadBodyErrors = 'FST_ERR_CTP_'

/** Mounts one route: authenticate and limit before the body is read, then parse, handle and respond. */
export function mountRoute(
  app: FastifyInstance,
  bound: Bound,
  ctx: AnswerCtx & { authSchemes: AuthSchemes },
): void {
  const { route } = bound
  const mounted: Mounted = { ...ctx, ...bound }

  app.route({
    method: route.method,
    url: frameworkPath(route.path),
    config: route.answerLimitMs === undefined ? {} : { answerLimitMs: route.answerLimitMs },
    async onRequest(request: FastifyRequest) {
      request.context.route = route
      if (route.cors === 'any') request.context.corsOrigin = '*'
      await ctx.fair.onBehalfOf(groupOf(request), () => authenticate(ctx, route, request))
      limit(request.context, request.authenticated?.grant)
    },
    handler: (request: FastifyRequest, reply: FastifyReply) =>
      ctx.fair.onBehalfOf(groupOf(request), () => answerRequest(mounted, request, reply)),
    ...(bound.onMalformed && {
      async errorHandler(error: Error, request: FastifyRequest) {
        const isUnread = 'code' in error && String(error.code).startsWith(unreadBodyErrors)
        if (isUnread || request.context.isUnreadable === true) await reportMalformed(mounted, request)
        // The server answers it, as every other error.
        throw error
      },
    }),
  })
}

async function authenticate(
  { authSchemes, isSecure }: { authSchemes: AuthSchemes; isSecure: boolean },
  route: Route,
  request: FastifyRequest,
): Promise<void> {
  request.authenticated = await authSchemes.authenticate({
    route,
    credentials: credentialsOf(request, isSecure),
    weight: declaredWeight(request.headers),
    onOrigin(origin) {
      if (corsLanes.has(route.lane)) request.context.corsOrigin = origin
    },
  })
}

function limit(context: FastifyRequest['context'], grant: RateGrant | undefined): void {
  if (grant === undefined) return
  context.grant = grant
  if (!grant.isGranted) throw new ApiError('rate_limited', rateLimited(grant))
}

const credentialsOf = ({ headers, ip, params }: FastifyRequest, isSecure: boolean): Credentials => ({
  authorization: headers.authorization,
  publishableKey: single(headers['x-service-publishable-key']),
  origin: headers.origin,
  address: ip,
  sessionToken: readCookie(headers.cookie, 'session', isSecure),
  organizationId: idIn(params, 'orgID'),
  agentId: idIn(params, 'agentID'),
})

/** An id in the path; undefined when it is malformed. */
const idIn = (params: unknown, name: 'orgID' | 'agentID'): string | undefined =>
  Id.safeParse((params as Record<string, string>)[name]).data

const single = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)
