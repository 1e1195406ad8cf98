import type { Hex } from '@symbolon/networks/evm'
import type { UserOperationDraft } from './bundler.ts'

/** The paymaster's fields of an operation (ERC-7677); gas limits only where the paymaster sets them. */
export type Sponsorship = {
  paymaster: Hex
  paymasterData: Hex
  paymasterVerificationGasLimit?: bigint
  paymasterPostOpGasLimit?: bigint
}

/** An ERC-7677 paymaster service of one chain. Every method rejects with `PaymasterError`. */
export type Paymaster = {
  /** Fields for an estimate; `isFinal`: they are the sponsorship itself already. */
  stub(op: UserOperationDraft): Promise<Sponsorship & { isFinal: boolean }>
  /**
   * Sponsors the operation as it stands. `validUntil` (unix seconds) is read from data of VerifyingPaymaster's layout and
   * is `undefined` when it has no end or cannot be read.
   */
  sponsor(op: UserOperationDraft): Promise<Sponsorship & { validUntil: bigint | undefined }>
  /** Resolves when the service answers JSON-RPC at all. */
  ping(): Promise<void>
}

/** `rejected`: it will not pay for this operation; `transport`: no usable answer came, a later call may pass. */
export type PaymasterErrorCode = 'rejected' | 'transport'

/** The only error of a paymaster. `reason` is one line without URLs or keys; the cause is for the log. */
export class PaymasterError extends Error {
  override readonly name = 'PaymasterError'
  readonly code: PaymasterErrorCode
  readonly reason: string

  constructor(code: PaymasterErrorCode, reason: string, cause?: unknown) {
    super(reason, { cause })
    this.code = code
    this.reason = reason
  }
}
