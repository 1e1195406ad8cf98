import type { Hex } from '@symbolon/networks/evm'
import { type EvmRpc, EvmRpcError, type GasFees } from '../../../ports/evm-rpc.ts'

/** The call of a transaction; `value` in wei. */
export type TxCall = { from: Hex; to: Hex; data: Hex; value: bigint }

/** What the chain says a transaction needs. */
export type TxNeeds = GasFees & { nonce: bigint; gasLimit: bigint }

/** Why a chain could not say; `reason` may be shown. */
export class FillInError extends Error {
  override readonly name = 'FillInError'
  readonly code: 'estimate_gas_reverted' | 'rpc_failed'
  readonly reason: string
  /** What refused. */
  readonly refusal: EvmRpcError

  constructor(code: FillInError['code'], cause: EvmRpcError) {
    super(cause.reason, { cause })
    this.code = code
    this.reason = cause.reason
    this.refusal = cause
  }
}

/** The gas of a plain transfer to an account without code; it never costs anything else. */
export const transferGas = 21_000n

/**
 * Asks the chain for nonce, gas and fees at the same time; a given gas limit is not estimated. Estimates get a fifth more,
 * because what a call costs moves with the state it meets; unused gas is not charged. Throws `FillInError`: a refusal of
 * the estimate is final (a revert, too little money), everything else may pass.
 */
export async function fillIn(rpc: EvmRpc, call: TxCall, gasLimit: bigint | undefined): Promise<TxNeeds> {
  const estimate = async () => {
    try {
      const gas = await rpc.estimateGas(call)
      return gas === transferGas ? gas : (gas * 6n) / 5n
    } catch (error) {
      if (!(error instanceof EvmRpcError) || error.code === 'transport') throw error
      throw new FillInError('estimate_gas_reverted', error)
    }
  }
  try {
    const [nonce, fees, gas] = await Promise.all([
      rpc.pendingNonce(call.from),
      rpc.fees(),
      gasLimit ?? estimate(),
    ])
    return { nonce, ...fees, gasLimit: gas }
  } catch (error) {
    throw error instanceof EvmRpcError ? new FillInError('rpc_failed', error) : error
  }
}
