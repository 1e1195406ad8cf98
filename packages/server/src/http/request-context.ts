import type { Route } from '@symbolon/api'
import type { Admitted } from './lanes.ts'
import type { RateGrant } from './limiter.ts'

/** One request on its way: what hooks, handler and the error path know of it. */
export type RequestContext = {
  requestId: string
  /** In ms of the monotonic clock. */
  startedAt: number
  route?: Route
  /** The page's origin, once it may read the answer. */
  corsOrigin?: string
  /** The rate the request went against. */
  grant?: RateGrant
  /** The body as it came, for what is bound to its bytes. */
  rawBody?: Uint8Array
  /** The body is no JSON that we read. */
  isUnreadable?: true
  /** `Set-Cookie` values of the answer. */
  setCookies?: string[]
}

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be merged with the framework's.
  interface FastifyRequest {
    context: RequestContext
    /** Set once the lane let the request in. */
    admitted?: Admitted
  }
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be merged with the framework's.
  interface FastifyContextConfig {
    /** The route's own time limit for an answer. */
    answerLimitMs?: number
  }
}
