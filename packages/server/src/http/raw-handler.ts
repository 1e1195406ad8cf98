import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorOf, Route } from '@symbolon/api'
import type { Failure } from '../runtime/failure.ts'
import type { Bound, HandlerCall, PrincipalOf } from './handler.ts'
import type { JsonBody } from './json-body.ts'

/** A route whose handler writes the whole answer itself. */
export type RawRoute = Route & { readonly handler: 'raw' }

/** A whole answer: text or bytes at once, or chunks as they are made. Header names are lower-case. */
export type RawAnswer = {
  status: number
  headers?: Readonly<Record<string, string>>
  body: string | Uint8Array | AsyncIterable<string>
}

/**
 * The input of a raw handler: as for any handler, but with the body as unparsed bytes (empty without one). `signal` fires when the
 * client disconnects or the server closes: end the stream then.
 */
export type RawCall<route extends RawRoute> = Omit<HandlerCall<route>, 'body'> & {
  readonly rawBody: Uint8Array
  /** The body as JSON, read when it is the organization's turn. */
  readonly readJson: () => Promise<JsonBody>
  readonly headers: IncomingHttpHeaders
  readonly signal: AbortSignal
}

/**
 * Binds a raw handler to its route. Its errors are answered in the envelope, as with every route. `onMalformed` gets the
 * signing requests that never reach the handler, before they are refused.
 */
export const onRaw = <route extends RawRoute>(
  route: route,
  handle: (call: RawCall<NoInfer<route>>) => Promise<RawAnswer | Failure<ErrorOf<NoInfer<route>>>>,
  options: { onMalformed?: (principal: PrincipalOf<NoInfer<route>>) => Promise<void> } = {},
): Bound => ({ route, handle, ...options })
