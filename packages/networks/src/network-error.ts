/** Why a payload or request was refused; the server answers 400 with the same code. */
export type NetworkErrorCode = 'invalid_payload' | 'invalid_request' | 'invalid_curve' | 'chain_unsupported'

/**
 * The only error this package throws on bad input.
 * `message` is safe to show to an end user and never holds payload bytes, except names of types and fields that its reader has checked.
 */
export class NetworkError extends Error {
  override name = 'NetworkError'
  readonly code: NetworkErrorCode

  constructor(code: NetworkErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** A `NetworkError` for bytes that a decoder refuses. */
export function invalidPayload(message: string): NetworkError {
  return new NetworkError('invalid_payload', message)
}

/** A `NetworkError` for a field that a request must not have, or must have otherwise. */
export function invalidRequest(message: string): NetworkError {
  return new NetworkError('invalid_request', message)
}

/** What `read` answers, or `undefined` where it refuses its input with a `NetworkError`. */
export function unlessRefused<value>(read: () => value): value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}
