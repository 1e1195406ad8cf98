import type { Hex, UserOperation } from '@symbolon/networks/evm'
import type { GasFees } from './evm-rpc.ts'

/** The gas fields that an estimate fills; the paymaster's are there when the operation names one. */
export type GasLimits = Pick<
  UserOperation,
  | 'callGasLimit'
  | 'verificationGasLimit'
  | 'preVerificationGas'
  | 'paymasterVerificationGasLimit'
  | 'paymasterPostOpGasLimit'
>

/** An operation as it is estimated: its gas limits are still unknown. */
export type UserOperationDraft = Omit<UserOperation, keyof GasLimits> & Partial<GasLimits>

/**
 * How a send ended. `accepted`: the bundler has it, now or already before. `rejected`: it refused, with a reason that may
 * be shown. `unsent`: it surely never reached the bundler. `unknown`: it may have; sending the same again does no harm.
 */
export type Sending =
  | { outcome: 'accepted' }
  | { outcome: 'rejected'; reason: string }
  | { outcome: 'unsent'; cause: unknown }
  | { outcome: 'unknown'; cause: unknown }

/** An ERC-4337 v0.7 bundler of one chain. Methods reject with `BundlerError`, except `send`, which never does. */
export type Bundler = {
  /** The price that the bundler asks for; `undefined` when it has no such method. */
  gasPrice(): Promise<GasFees | undefined>
  /**
   * All gas limits of the operation; with `funds` as if its account had so much, in wei. `reverted`: an inner call failed; `rejected`:
   * validation did, or the bundler.
   */
  estimate(op: UserOperationDraft, funds?: bigint): Promise<GasLimits>
  /** Hands a signed operation in; `hash` is ours, and another one in the answer is `unknown`. */
  send(op: UserOperation, hash: Hex): Promise<Sending>
  /** Resolves when the bundler serves our entry point on our chain. */
  ping(): Promise<void>
}

/** `reverted` and `rejected` are the bundler's answer, `transport` means that none came and a later call may pass. */
export type BundlerErrorCode = 'reverted' | 'rejected' | 'transport'

/**
 * The only error of a bundler. `reason` is one line without URLs or keys and may be shown; `data` is the revert's; the cause
 * is for the log.
 */
export class BundlerError extends Error {
  override readonly name = 'BundlerError'
  readonly code: BundlerErrorCode
  readonly reason: string
  readonly data?: Hex

  constructor(code: BundlerErrorCode, reason: string, options: { data?: Hex; cause?: unknown } = {}) {
    super(reason, { cause: options.cause })
    this.code = code
    this.reason = reason
    if (options.data !== undefined) this.data = options.data
  }
}
