import { NetworkError } from '@symbolon/networks/browser'
import type { FrameError, FrameErrorCode, JsonObject } from './protocol/messages.ts'

const messages: Record<FrameErrorCode, string> = {
  invalid_request: 'The request is invalid.',
  message_too_large: 'The request is too large.',
  session_missing: 'Log in first.',
  signing_mode_mismatch: 'Not available in this signing mode.',
  device_share_missing: 'This device cannot use the wallet yet. Recover it first.',
  device_share_outdated: 'The wallet was recovered or refreshed elsewhere. Recover it on this device.',
  user_rejected: 'The request was declined.',
  dialog_busy: 'Too many requests are waiting. Send more once some are answered.',
  cancelled: 'The request was cancelled.',
  timeout: 'The request took too long.',
  network_failed: 'The service could not be reached. Try again.',
  key_mismatch: 'The shares do not match this wallet. Nothing was signed.',
  preview_mismatch: 'The payload does not match the request. Nothing was signed.',
  enclave_unverified: 'The service could not prove that your key would reach its enclave. Nothing was sent.',
  internal: 'Something went wrong.',
}

/** The options of a failure; the API's message, details and request id, if the API answered. */
export type FailureOptions = {
  readonly message?: string
  readonly details?: JsonObject
  readonly requestId?: string
}

/** The one error that is answered with its own code; any other is answered as `internal`. Its message is for the user. */
export class FrameFailure extends Error {
  override readonly name = 'FrameFailure'
  readonly code: FrameErrorCode | (string & {})
  readonly details: JsonObject | undefined
  readonly requestId: string | undefined

  constructor(code: FrameErrorCode | (string & {}), options: FailureOptions = {}) {
    super(options.message ?? messages[code as FrameErrorCode] ?? messages.internal)
    this.code = code
    this.details = options.details
    this.requestId = options.requestId
  }
}

/** Whether an error is a failure of one of the codes. */
export function isFailure(error: unknown, ...codes: readonly string[]): error is FrameFailure {
  return error instanceof FrameFailure && codes.includes(error.code)
}

/** The part of an error that the page gets; for a foreign error, only `internal`. */
export function toFrameError(error: unknown): FrameError {
  if (error instanceof NetworkError) return { code: error.code, message: error.message }
  if (!(error instanceof FrameFailure)) return { code: 'internal', message: messages.internal }
  const { code, message, details, requestId } = error
  return {
    code,
    message,
    ...(details !== undefined && { details }),
    ...(requestId !== undefined && { request_id: requestId }),
  }
}
