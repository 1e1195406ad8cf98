import type { Route } from '@symbolon/api'
import type { Authenticated } from './auth/auth-scheme.ts'
import type { RateGrant } from './limiter.ts'

/** What hooks, handler and error path know about a request. */
export type RequestContext = {
  requestId: string
  /** In ms of the monotonic clock. */
  startedAt: number
  route?: Route
  /** The page's origin, once it may read the answer. */
  corsOrigin?: string
  /** The answer of the rate limit that the request counts against. */
  grant?: RateGrant
  /** The raw body. */
  rawBody?: Uint8Array
  /** The length of the answer. */
  answerBytes?: number
  /** The body could not be parsed as JSON. */
  isUnreadable?: true
  /** `Set-Cookie` values of the answer. */
  setCookies?: string[]
}

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be merged with the framework's.
  interface FastifyRequest {
    context: RequestContext
    /** Set once the request is authenticated. */
    authenticated?: Authenticated
  }
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be merged with the framework's.
  interface FastifyContextConfig {
    /** The route's own time limit for an answer. */
    answerLimitMs?: number
  }
}
