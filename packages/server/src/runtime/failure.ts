import { ApiError, type ErrorCode, type ErrorOptions } from '@symbolon/api'

/**
 * What a use case returns when it refuses or fails: the error code and its options. A transaction whose
 * work returns one is rolled back, and a route that returns one answers with its error.
 */
export type Failure<code extends ErrorCode = ErrorCode> = {
  readonly kind: 'error'
  readonly code: code
} & ErrorOptions

/** Makes a failure: `return failure('wallet_not_found')`. */
export const failure = <const code extends ErrorCode>(
  code: code,
  options: ErrorOptions = {},
): Failure<code> => ({ ...options, kind: 'error', code })

/** The failure of a request that its rate limit refused: the client may repeat it after `retrySeconds`, rounded up. */
export function rateLimited({ retrySeconds }: { retrySeconds: number }): Failure<'rate_limited'> {
  const seconds = Math.max(1, Math.ceil(retrySeconds))
  const wait = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`
  return failure('rate_limited', {
    message: `Too many requests. Try again in ${wait}.`,
    retryAfterSeconds: seconds,
  })
}

/** Whether an outcome is a failure. No result of a use case has the kind `error`. */
export const isFailure = (outcome: unknown): outcome is Failure =>
  typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === 'error'

/** What `map` makes of a result; a failure stays as it is. */
export const mapResult = <outcome, mapped>(
  outcome: outcome,
  map: (result: Exclude<outcome, Failure>) => mapped,
): mapped | Extract<outcome, Failure> =>
  isFailure(outcome) ? (outcome as Extract<outcome, Failure>) : map(outcome as Exclude<outcome, Failure>)

/** The result of a use case, for who knows no failures. Throws the `ApiError` of a failure. */
export function orThrow<outcome>(outcome: outcome): Exclude<outcome, Failure> {
  if (isFailure(outcome)) throw new ApiError(outcome.code, outcome)
  return outcome as Exclude<outcome, Failure>
}
