import type { ApiError, Fail } from '@symbolon/api'
import { BundlerError } from '../../ports/bundler.ts'
import { EvmRpcError } from '../../ports/evm-rpc.ts'
import { PaymasterError } from '../../ports/paymaster.ts'
import { PriceError } from '../../ports/prices.ts'

/** What a chain and those around it can refuse an operation with. */
export type ChainErrors =
  | 'estimate_gas_reverted'
  | 'bundler_rejected'
  | 'bundler_failed'
  | 'rpc_failed'
  | 'unavailable'

/** The error of the contract for an error of a port; any other error comes back as it is. */
export function failedBy(error: unknown, fail: Fail<ChainErrors>): ApiError | unknown {
  if (error instanceof EvmRpcError) return fail('rpc_failed', { cause: error })
  if (error instanceof PriceError) {
    return fail('unavailable', {
      message: 'There is no reliable price to sponsor gas by right now.',
      cause: error,
    })
  }
  if (error instanceof BundlerError && error.code === 'reverted') {
    return fail('estimate_gas_reverted', {
      message: `The call reverts on the chain: ${error.reason}`,
      cause: error,
    })
  }
  if (!(error instanceof BundlerError || error instanceof PaymasterError)) return error
  if (error.code === 'transport') return fail('bundler_failed', { cause: error })
  return fail('bundler_rejected', { message: refusal(error.reason), cause: error })
}

/** The message of `bundler_rejected`, with the bundler's or paymaster's own reason. */
export const refusal = (reason: string): string => `The bundler refused the operation: ${reason}`
