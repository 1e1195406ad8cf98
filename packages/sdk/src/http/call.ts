import type { Result } from '../result.ts'

/** Codes of a call that got no answer worth the name: nothing came, it came too late or it was no envelope. */
export type TransportCode = 'network_failed' | 'timeout' | 'cancelled' | 'invalid_answer'

/** A route's entry in the table of routes. */
export type RouteShape = {
  params?: object
  query?: object
  body?: unknown
  data: unknown
  code: string
}

type Given<name extends string, route> = route extends { readonly [key in name]: infer value }
  ? undefined extends value
    ? { readonly [key in name]?: Exclude<value, undefined> }
    : { readonly [key in name]: value }
  : unknown

/** The input of a call: parameters, query and body as its route has them. */
export type CallInput<route extends RouteShape> = Given<'params', route> &
  Given<'query', route> &
  Given<'body', route> &
  CallOptions

/**
 * How a call is made. `isRepeatable`: whether a POST without an answer may be sent again under its idempotency key; default
 * true. `idempotencyKey`: a key of the caller's own (255 characters at most) instead of a random one. `signal` ends the
 * waiting with `cancelled`. `limitMs`: the longest wait for one answer; default 60 s.
 */
export type CallOptions = {
  readonly isRepeatable?: boolean
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  readonly limitMs?: number
}

/** Calls a route by `METHOD /path`, typed by its table; resolves with the envelope's data or error, never rejects. */
export type Call<table> = <at extends keyof table & string>(
  at: at,
  input: table[at] extends RouteShape ? CallInput<table[at]> : never,
) => Promise<
  table[at] extends RouteShape ? Result<table[at]['data'], table[at]['code'] | TransportCode> : never
>
