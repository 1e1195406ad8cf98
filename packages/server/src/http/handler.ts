import type { Call, Data, ErrorOf, PortalRole, Route } from '@symbolon/api'
import type { Failure } from '../runtime/failure.ts'
import type { ReportRate } from './limiter.ts'
import type { MemberPrincipal, Principal } from './principal.ts'
import type { PortalCookie } from './session-cookie.ts'

/** The cookies of a portal request and of its answer. */
export type Cookies = {
  /** Undefined when it is missing, there twice, or no token of ours. */
  read(cookie: PortalCookie): string | undefined
  /** An empty value with age 0 deletes it. */
  set(cookie: PortalCookie, value: string, maxAgeSeconds: number): void
}

/**
 * A request as its handler gets it: the parsed input, the principal, and where it came from. `rate` takes the grant of a rate limit that
 * the handler checked itself, for the headers of the answer.
 */
export type HandlerCall<route extends Route> = Call<route> & {
  readonly principal: route extends { role: PortalRole; lane: 'portal' }
    ? MemberPrincipal
    : route['lane'] extends keyof Principal
      ? Principal[route['lane']]
      : never
  readonly rate: ReportRate
  readonly requestId: string
  /** The request's idempotency key, where the route takes one: also for effects that outlive this process. */
  readonly idempotencyKey?: string
  readonly cookies: Cookies
  readonly request: {
    readonly origin: string | undefined
    readonly address: string
    readonly url: string
    readonly userAgent: string | undefined
    /** The header `X-Service-Device`, a bearer secret, as it came. */
    readonly device: string | undefined
  }
}

/** What a handler returns: the route's data (`undefined` for a route without), or a failure with a code that the route declares. */
export type Handler<route extends Route> = (
  call: HandlerCall<route>,
) => Promise<Data<route> | Failure<ErrorOf<route>>>

/** Who calls a route, as its handler sees it. */
export type PrincipalOf<route extends Route> = HandlerCall<route>['principal']

/** A route with its handler, as the server mounts it. */
export type Bound = {
  readonly route: Route
  readonly handle: (call: never) => Promise<unknown>
  readonly onMalformed?: (principal: never, body: unknown) => Promise<void>
  readonly isContinued?: (call: never) => Promise<boolean>
}

/**
 * Ties a handler to its route: the compiler checks input, output and error codes. `onMalformed` gets the signing
 * requests that do not parse, before they are refused. `isContinued`: whether a request under an idempotency key, of which something was
 * committed and the answer was lost, has a journal that the handler answers from.
 */
export const on = <const route extends Route>(
  route: route,
  handle: NoInfer<Handler<route>>,
  options: {
    onMalformed?: (principal: PrincipalOf<NoInfer<route>>, body: unknown) => Promise<void>
    isContinued?: (
      call: Pick<HandlerCall<NoInfer<route>>, 'principal' | 'body'> & { idempotencyKey: string },
    ) => Promise<boolean>
  } = {},
): Bound => ({ route, handle, ...options })
