import { BundlerError } from '../../ports/bundler.ts'
import { EvmRpcError } from '../../ports/evm-rpc.ts'
import { PaymasterError } from '../../ports/paymaster.ts'
import { PriceError } from '../../ports/prices.ts'
import { type Failure, failure } from '../../runtime/failure.ts'

/** What a chain and those around it can refuse an operation with, beside calls that revert. */
export type ChainErrors = 'bundler_rejected' | 'bundler_failed' | 'rpc_failed' | 'unavailable'

/** The failure for an error of a port; throws any other error. */
export function failedBy(error: unknown): Failure<ChainErrors> {
  if (error instanceof EvmRpcError) return failure('rpc_failed', { cause: error })
  if (error instanceof PriceError) {
    const message = 'No reliable price to sponsor gas is available right now. Try again later.'
    return failure('unavailable', { message, cause: error })
  }
  if (!(error instanceof BundlerError || error instanceof PaymasterError)) throw error
  if (error.code === 'transport') return failure('bundler_failed', { cause: error })
  return failure('bundler_rejected', { message: refusal(error.reason), cause: error })
}

/** The message of `bundler_rejected`, with the bundler's or paymaster's own reason. */
export const refusal = (reason: string): string => `The bundler refused the operation: ${reason}`
