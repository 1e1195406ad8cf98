import { ApiError, bodyBytesMax, declares, type Route } from '@symbolon/api'
import { isDatabaseUnavailable } from '../db/pool.ts'
import { EnclaveError } from '../ports/enclave.ts'
import { KmsError } from '../ports/kms.ts'
import { errorBody } from './envelope.ts'

const frameworkCodes = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'payload_too_large'],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_media_type'],
  ['FST_ERR_MAX_PARAM_LENGTH', 'not_found'],
  // A path with a broken escape, or one that is not UTF-8.
  ['FST_ERR_BAD_URL', 'not_found'],
] as const)

/** The answers of the framework itself, on any path. */
const frameworkErrors = new Set([
  'not_found',
  'method_not_allowed',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'unavailable',
  'internal',
])

const tooLarge = { message: `The body is larger than ${bodyBytesMax >> 10} KiB.` }

const unavailableRetrySeconds = 1

/**
 * The answer to a failure: its own code where the route declares it, `unavailable` while a part we need is out of
 * reach, `internal` for everything that should not happen. Only catalogue texts and the error's own message leave.
 */
export function errorAnswer(error: unknown, route: Route | undefined): { error: ApiError; body: string } {
  const known = asApiError(error)
  const isDeclared = route === undefined || declares(route, known.code) || frameworkErrors.has(known.code)
  const answered = isDeclared
    ? known
    : new ApiError('internal', { cause: error, detail: { undeclared: known.code } })
  return { error: answered, body: errorBody(answered) }
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) {
    if (error.code !== 'unavailable' || error.retryAfterSeconds !== undefined) return error
    return unavailable(error, error)
  }
  if (isUnavailable(error)) return unavailable(error)
  if (error instanceof Error && 'code' in error && 'statusCode' in error) {
    const code = frameworkCodes.get(String(error.code) as never)
    if (code !== undefined) return new ApiError(code, code === 'payload_too_large' ? tooLarge : {})
    if (Number(error.statusCode) >= 400 && Number(error.statusCode) < 500)
      return new ApiError('invalid_request')
  }
  return new ApiError('internal', { cause: error })
}

const isUnavailable = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  // A key that the KMS does not have is put back by an operator, like a service that is away.
  (error instanceof KmsError && (error.code === 'unavailable' || error.code === 'unknown_key')) ||
  (error instanceof EnclaveError && error.code === 'unavailable')

const unavailable = (
  cause: unknown,
  { details, detail }: Partial<Pick<ApiError, 'details' | 'detail'>> = {},
): ApiError =>
  new ApiError('unavailable', {
    cause,
    retryAfterSeconds: unavailableRetrySeconds,
    ...(details !== undefined && { details }),
    ...(detail !== undefined && { detail }),
  })
