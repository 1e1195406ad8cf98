import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorOf, Route } from '@symbolon/api'
import type { Failure } from '../runtime/failure.ts'
import type { Bound, HandlerCall, PrincipalOf } from './handler.ts'

/** A route whose handler writes the whole answer itself. */
export type RawRoute = Route & { readonly handler: 'raw' }

/** A whole answer: text or bytes at once, or chunks as they are made. Header names are lower-case. */
export type RawAnswer = {
  status: number
  headers?: Readonly<Record<string, string>>
  body: string | Uint8Array | AsyncIterable<string>
}

/**
 * What the handler of a free route gets: as any handler, but the body is as it came (empty without one) and nothing of it has been
 * parsed. `signal` fires when the caller has gone or the server closes: a stream ends then.
 */
export type RawCall<route extends RawRoute> = Omit<HandlerCall<route>, 'body'> & {
  readonly rawBody: Uint8Array
  readonly headers: IncomingHttpHeaders
  readonly signal: AbortSignal
}

/**
 * Ties a handler to a free route. What it throws leaves in the envelope, as with every route. `onMalformed` hears of requests of a route of
 * attempts that the handler never gets, before they are refused.
 */
export const onRaw = <route extends RawRoute>(
  route: route,
  handle: (call: RawCall<NoInfer<route>>) => Promise<RawAnswer | Failure<ErrorOf<NoInfer<route>>>>,
  options: { onMalformed?: (principal: PrincipalOf<NoInfer<route>>) => Promise<void> } = {},
): Bound => ({ route, handle, ...options })
