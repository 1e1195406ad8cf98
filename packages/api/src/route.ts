import type * as z from 'zod'
import type { ErrorCode } from './errors.ts'
import {
  idempotencyErrors,
  idempotentLanes,
  type Lane,
  laneErrors,
  type Method,
  methodErrors,
  type PortalRole,
} from './lanes.ts'
import type { LimitName } from './limits.ts'

/** One HTTP route: all that the server, the SDK and the reference need to know about it. */
export type Route = {
  /** `feature.action`; the feature is the tag of the reference. */
  readonly id: `${string}.${string}`
  readonly method: Method
  /** Parameters in braces, as the HTTP API document spells them. */
  readonly path: `/v1/${string}` | `/.well-known/${string}`
  readonly lane: Lane
  /** What a secret key must be allowed; `full` refuses `read` keys. Only in the secret lane. */
  readonly scope?: 'read' | 'full'
  /** The least a member of the organization `{orgID}` must be. Only in the portal lane; anybody else's organization is 404. */
  readonly role?: PortalRole
  readonly summary: string
  readonly description?: string
  /** A path parameter that does not parse is 404 `not_found`. */
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Bodies for the reference, by what they are for. */
  readonly examples?: Readonly<Record<string, unknown>>
  /** 302: the handler answers where the browser goes next. */
  readonly status: 200 | 201 | 202 | 204 | 302
  /** The envelope's `data`, or without an envelope the whole JSON answer; absent with status 204. */
  readonly data?: z.ZodType
  /** What comes with `wallet_exists`, where it is not `data`. */
  readonly existing?: z.ZodType
  /** The codes of this route alone; lane, method, scope, limit and so on bring theirs (`ErrorOf`). */
  readonly errors: readonly ErrorCode[]
  readonly limit?: LimitName
  /** Content type of an answer that is sent as it is made, without the envelope: the handler answers its chunks. */
  readonly stream?: 'application/x-ndjson'
  /** `false`: the answer is `data` itself. */
  readonly envelope?: false
  /** `raw`: the handler gets the raw body and writes the whole answer: status, headers, text or stream. Errors keep the envelope. */
  readonly handler?: 'raw'
  /** The route signs, or may: its handler also gets ended sessions and malformed requests, to record their events. */
  readonly isSigningRequest?: true
  /** Pages of any origin may read the answer. Only in the public lane. */
  readonly cors?: 'any'
  /** The answer bears a credential: it is never stored, a repeat of its idempotency key is refused. */
  readonly bearsCredential?: true
  /** The largest body in bytes, where that is not the 256 KiB of every route. A body whose `type` is `transaction` may always have these. */
  readonly bodyBytesMax?: number
  /** A page of the answer may have megabytes, since what it lists may be long: an organization makes only a few at once. */
  readonly isLongAnswer?: true
  /** How long a request may wait for its answer, where that is more than the 5 s of every route. */
  readonly answerLimitMs?: number
}

type Output<route, key extends string> = route extends {
  readonly [name in key]: infer schema extends z.ZodType
}
  ? z.output<schema>
  : undefined

/** The parsed path parameters of a route; `undefined` when it has none. */
export type Params<route extends Route> = Output<route, 'params'>
/** The parsed query of a route; `undefined` when it has none. */
export type Query<route extends Route> = Output<route, 'query'>
/** The parsed body of a route; `undefined` when it has none. */
export type Body<route extends Route> = Output<route, 'body'>
/** What a handler of the route must return: `undefined` with status 204, the address with 302, chunks for a stream. */
export type Data<route extends Route> = route extends { stream: string }
  ? AsyncIterable<string>
  : route extends { status: 302 }
    ? string
    : Output<route, 'data'>

type Idempotency<route extends Route> = route extends { method: 'POST'; handler?: never }
  ? route['lane'] extends (typeof idempotentLanes)[number]
    ? (typeof idempotencyErrors)[number]
    : never
  : never

// What a body holds, and whether it is JSON, is for the raw handler to say.
type RawHandlerError = 'payload_too_large'

/** Every code a route can answer with: its own and those that its lane, method and options bring. */
export type ErrorOf<route extends Route> =
  | 'internal'
  | route['errors'][number]
  | (typeof laneErrors)[route['lane']][number]
  | Extract<
      (typeof methodErrors)[route['method']][number],
      route extends { handler: 'raw' } ? RawHandlerError : ErrorCode
    >
  | Idempotency<route>
  | (route extends { scope: 'full' } ? 'insufficient_scope' : never)
  | (route extends { role: Exclude<PortalRole, 'viewer'> } ? 'forbidden' : never)
  | (route extends { lane: 'portal' | 'portal_or_secret'; method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' }
      ? 'origin_not_allowed'
      : never)
  | (route extends { params: z.ZodType } ? 'not_found' : never)
  | (route extends { query: z.ZodType } ? 'invalid_request' : never)
  | (route extends { limit: LimitName } ? 'rate_limited' : never)

/** The parsed input of a route, as its handler gets it. */
export type Call<route extends Route> = {
  readonly params: Params<route>
  readonly query: Query<route>
  readonly body: Body<route>
}

/** Whether a repeat of the route under one `Idempotency-Key` takes effect once. */
export const takesIdempotencyKey = (route: Route): boolean =>
  route.method === 'POST' && route.handler !== 'raw' && idempotentLanes.some((lane) => lane === route.lane)

/** The codes of `ErrorOf`, as data, in the order route, options, lane, method; each once. */
export function errorsOf<const route extends Route>(route: route): readonly ErrorOf<route>[] {
  const isIdempotent = takesIdempotencyKey(route)
  const codes: ErrorCode[] = [
    ...route.errors,
    ...(route.params ? (['not_found'] as const) : []),
    ...(route.query ? (['invalid_request'] as const) : []),
    ...(route.scope === 'full' ? (['insufficient_scope'] as const) : []),
    ...(route.limit ? (['rate_limited'] as const) : []),
    ...(route.role && route.role !== 'viewer' ? (['forbidden'] as const) : []),
    ...(route.lane.startsWith('portal') && route.method !== 'GET' ? (['origin_not_allowed'] as const) : []),
    ...laneErrors[route.lane],
    ...methodErrors[route.method].filter((code) => route.handler !== 'raw' || code === 'payload_too_large'),
    ...(isIdempotent ? idempotencyErrors : []),
    'internal',
  ]
  return [...new Set(codes)] as ErrorOf<route>[]
}

/** Whether the route declares the code; the server answers `internal` for an error that is not declared. */
export const declares = (route: Route, code: ErrorCode): boolean => errorsOf(route).includes(code)
