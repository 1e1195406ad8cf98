import type { SdkError } from '../result.ts'

/** An error of the Ethereum provider (EIP-1193, EIP-1474). `data` holds the platform's own code where it comes from there. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
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
  limitExceeded: -32005,
  resourceUnavailable: -32002,
  transactionRejected: -32003,
  invalidParams: -32602,
  internal: -32603,
} as const

const codeOf: Readonly<Record<string, number>> = {
  user_rejected: providerCodes.userRejected,
  session_missing: providerCodes.unauthorized,
  unauthorized: providerCodes.unauthorized,
  token_expired: providerCodes.unauthorized,
  token_revoked: providerCodes.unauthorized,
  origin_not_allowed: providerCodes.unauthorized,
  wallet_archived: providerCodes.unauthorized,
  device_share_missing: providerCodes.unauthorized,
  device_share_outdated: providerCodes.unauthorized,
  network_failed: providerCodes.disconnected,
  timeout: providerCodes.disconnected,
  unavailable: providerCodes.disconnected,
  frame_unreachable: providerCodes.disconnected,
  rpc_failed: providerCodes.chainDisconnected,
  chain_unsupported: providerCodes.chainDisconnected,
  rate_limited: providerCodes.limitExceeded,
  dialog_busy: providerCodes.resourceUnavailable,
  broadcast_failed: providerCodes.transactionRejected,
  bundler_rejected: providerCodes.transactionRejected,
  estimate_gas_reverted: providerCodes.transactionRejected,
  invalid_request: providerCodes.invalidParams,
  invalid_payload: providerCodes.invalidParams,
  bad_to: providerCodes.invalidParams,
}

/** The platform's refusal as the provider's error. */
export function providerError({ code, message, details, requestId }: SdkError): ProviderRpcError {
  return new ProviderRpcError(codeOf[code] ?? providerCodes.internal, message, {
    code,
    ...(details !== undefined && { details }),
    ...(requestId !== undefined && { requestId }),
  })
}

/** What is wrong with the parameters of a request. */
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
