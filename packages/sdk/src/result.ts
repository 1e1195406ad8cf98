import { sdkVersion } from './version.ts'

/**
 * Why a call failed. `message` is written for the end user; `status`, `requestId` and `docs_url` (the page about the code) are
 * set if the API answered, `details` only if a program can act on them, `cause` if something else failed first. `version` is the SDK's.
 */
export type SdkError<code extends string = string> = {
  readonly code: code
  readonly message: string
  readonly details?: unknown
  readonly status?: number
  readonly requestId?: string
  readonly docs_url?: string
  readonly cause?: unknown
  readonly version?: string
}

/** `wallet_exists` is the only error that comes with data: the existing wallet. */
type Existing<data, code extends string> =
  Extract<code, 'wallet_exists'> extends never
    ? never
    : { readonly data: data; readonly error: SdkError<'wallet_exists'> }

/**
 * The result of every call, in the form of the API's envelope; calls never reject. Check `error` first: if it is null, `data`
 * is set. Only `wallet_exists` has both.
 */
export type Result<data, code extends string = string> =
  | { readonly data: data; readonly error: null }
  | { readonly data: null; readonly error: SdkError<Exclude<code, 'wallet_exists'>> }
  | Existing<data, code>

/** The exception that `unwrap` throws for a failed result. `data` is the existing wallet for `wallet_exists`, otherwise null. */
export class SymbolonError<code extends string = string> extends Error {
  override readonly name = 'SymbolonError'
  readonly code: code
  readonly details: unknown
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly docs_url: string | undefined
  /** The SDK's version. */
  readonly version = sdkVersion
  readonly data: unknown

  constructor(error: SdkError<code>, data: unknown = null) {
    super(error.message, error.cause === undefined ? {} : { cause: error.cause })
    this.code = error.code
    this.details = error.details
    this.status = error.status
    this.requestId = error.requestId
    this.docs_url = error.docs_url
    this.data = data
  }
}

/** The data of a result; throws `SymbolonError` if the call failed, `wallet_exists` included. */
export function unwrap<data>(result: {
  readonly data: data
  readonly error: SdkError | null
}): NonNullable<data> | Extract<data, undefined> {
  if (result.error !== null) throw new SymbolonError(result.error, result.data)
  return result.data as NonNullable<data> | Extract<data, undefined>
}

/** A successful result. */
export function success<data>(data: data): { readonly data: data; readonly error: null } {
  return { data, error: null }
}

/** A failed result. */
export function failure<code extends string>(
  code: code,
  message: string,
  more: Omit<SdkError, 'code' | 'message'> = {},
): { readonly data: null; readonly error: SdkError<code> } {
  return { data: null, error: { code, message, ...more, version: sdkVersion } }
}
