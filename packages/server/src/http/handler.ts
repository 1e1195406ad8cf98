import type { Call, Data, Route } from '@symbolon/api'
import type { Caller } from './caller.ts'
import type { Permit } from './limiter.ts'

/**
 * What a handler gets: the parsed input and `fail` of its route, who calls, and where from. `rate` tells what a rate that the
 * handler itself asked has said, for the answer's headers.
 */
export type HandlerCall<route extends Route> = Call<route> & {
  readonly caller: route['lane'] extends keyof Caller ? Caller[route['lane']] : never
  readonly rate: (permit: Permit) => void
  readonly requestId: string
  readonly request: { readonly origin: string | undefined; readonly address: string }
}

/** What a handler answers; `undefined` for a route without data. */
export type Handler<route extends Route> = (call: HandlerCall<route>) => Promise<Data<route>>

/** A route with its handler, as the server mounts it. */
export type Bound = { readonly route: Route; readonly handle: (call: never) => Promise<unknown> }

/** Ties a handler to its route: the compiler checks input, output and error codes. */
export const on = <const route extends Route>(route: route, handle: NoInfer<Handler<route>>): Bound => ({
  route,
  handle,
})
