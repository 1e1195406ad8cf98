import { type ErrorCode, errors } from './errors.ts'
import { invalidText, namedIssues } from './validation-details.ts'

/** What may accompany an error; only `message`, `details`, `data` and `retryAfterSeconds` are ever answered. */
export type ErrorOptions = {
  /** Replaces the catalogue's message; written for the end user. */
  readonly message?: string
  /** What a client can act on, answered as `error.details`; issues of `invalid_request` are predicates and get the names of their fields. */
  readonly details?: unknown
  /** The envelope's `data` beside the error: the existing wallet of `wallet_exists`, nothing else. */
  readonly data?: unknown
  /** Answered as `Retry-After`, in whole seconds. */
  readonly retryAfterSeconds?: number
  /** Details for operators: logged, never sent. */
  readonly detail?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** The only error that reaches the client as it is; any other thrown error becomes `internal`. */
export class ApiError<code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ApiError'
  readonly code: code
  /** The HTTP status of the code. */
  readonly status: number
  readonly details: unknown
  readonly data: unknown
  readonly retryAfterSeconds: number | undefined
  readonly detail: Readonly<Record<string, unknown>> | undefined

  constructor(code: code, options: ErrorOptions = {}) {
    const details = code === 'invalid_request' ? namedIssues(options.details) : options.details
    super(
      options.message ?? (code === 'invalid_request' ? invalidMessage(details) : errors[code].message),
      options.cause === undefined ? {} : { cause: options.cause },
    )
    this.code = code
    this.status = errors[code].status
    this.details = details
    this.data = options.data
    this.retryAfterSeconds = options.retryAfterSeconds
    this.detail = options.detail
  }
}

/** Logs and models read no `details`: the first issue is in the message too. */
const invalidMessage = (details: unknown): string =>
  invalidText(errors.invalid_request.message.slice(0, -1), details)
