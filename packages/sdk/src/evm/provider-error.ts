import { isObject } from '../json.ts'
import type { SdkError } from '../result.ts'

/**
 * An error of the Ethereum provider (EIP-1193, EIP-1474). `data` holds the platform's own code where it comes from there, or what a contract
 * returned; `cause` is the platform's error.
 */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.data = data
  }
}

/** EIP-1193 and, from -32000 down, EIP-1474; 4902 is EIP-3085's, 57xx are EIP-5792's. */
export const providerCodes = {
  userRejected: 4001,
  unauthorized: 4100,
  unsupportedMethod: 4200,
  disconnected: 4900,
  chainDisconnected: 4901,
  unknownChain: 4902,
  unsupportedCapability: 5700,
  unsupportedChain: 5710,
  duplicateId: 5720,
  unknownId: 5730,
  atomicityNotSupported: 5760,
  limitExceeded: -32005,
  resourceUnavailable: -32002,
  transactionRejected: -32003,
  invalidParams: -32602,
  unknownMethod: -32601,
  internal: -32603,
  /** Geth's; `data` is what the contract returned. */
  executionReverted: 3,
} as const

/** The platform's codes by the provider's; any other is internal. */
const platformCodes: Partial<Record<keyof typeof providerCodes, readonly string[]>> = {
  userRejected: ['user_rejected'],
  unauthorized: [
    'unauthorized',
    'token_expired',
    'token_revoked',
    'origin_not_allowed',
    'wallet_archived',
    'device_share_missing',
    'device_share_outdated',
  ],
  disconnected: ['network_failed', 'timeout', 'unavailable', 'frame_unreachable'],
  chainDisconnected: ['rpc_failed', 'chain_unsupported'],
  limitExceeded: ['rate_limited'],
  resourceUnavailable: ['dialog_busy'],
  transactionRejected: ['broadcast_failed', 'bundler_rejected'],
  invalidParams: ['invalid_request', 'invalid_payload', 'bad_to'],
}

/** The data of a result; throws the platform's refusal as the provider's error. */
export function dataOf<data>({ data: given, error }: Unwrapped<data>): NonNullable<data> {
  if (error === null) return given as NonNullable<data>
  const { code, message, details, requestId } = error
  if (code === 'estimate_gas_reverted') throw estimateError(error)
  const names = Object.keys(platformCodes) as (keyof typeof providerCodes)[]
  const name = names.find((one) => platformCodes[one]?.includes(code)) ?? 'internal'
  const data = {
    code,
    ...(details !== undefined && { details }),
    ...(requestId !== undefined && { requestId }),
  }
  throw new ProviderRpcError(providerCodes[name], message, data, error)
}

/** The error of a login that failed: the app's own where it is a provider's, otherwise 4100, or 4900 where the platform is out of reach. */
export function loginError(error: unknown): unknown {
  const { code, details } = isObject(error) ? error : {}
  if (typeof code === 'number') return error
  const isAway = platformCodes.disconnected?.includes(String(code)) === true
  const message = error instanceof Error ? error.message : 'The login failed.'
  const codes = providerCodes
  return new ProviderRpcError(
    isAway ? codes.disconnected : codes.unauthorized,
    message,
    { code, details },
    error,
  )
}

const noReason = 'execution reverted'

/** A refused estimate in the form of geth's, which libraries know: the contract's reason and data, or what the account lacks. */
function estimateError(error: SdkError): ProviderRpcError {
  const { code, message, details } = error
  const { reason = message, data } = isObject(details) ? details : {}
  if (typeof data !== 'string' || typeof reason !== 'string') {
    const said = typeof reason === 'string' ? reason : message
    return new ProviderRpcError(providerCodes.transactionRejected, said, { code, details }, error)
  }
  const shown = reason.startsWith('0x') ? `custom error ${reason}` : reason
  const text = reason === noReason ? noReason : `${noReason}: ${shown}`
  return new ProviderRpcError(providerCodes.executionReverted, text, data, error)
}

type Unwrapped<data> = { readonly data: data; readonly error: SdkError | null }

/** The error of a request with wrong parameters. */
export function invalidParams(message: string): ProviderRpcError {
  return new ProviderRpcError(providerCodes.invalidParams, message)
}

/** A method that this provider does not serve. */
export function unsupported(method: string, why = ''): ProviderRpcError {
  return new ProviderRpcError(
    providerCodes.unsupportedMethod,
    `The wallet does not support ${method}${why === '' ? '' : `: ${why}`}.`,
  )
}
