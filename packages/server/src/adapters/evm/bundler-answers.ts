import { decodeRevert, type Hex } from '@symbolon/networks/evm'
import * as z from 'zod'
import { BundlerError, type GasLimits, type UserOperationDraft } from '../../ports/bundler.ts'
import type { GasFees } from '../../ports/evm-rpc.ts'
import { JsonRpcFailure, type JsonRpcRefusal, refusalText } from './json-rpc.ts'
import { shortened } from './masked-text.ts'
import { revertOf } from './revert-of.ts'
import { LooseQuantity, Quantity } from './rpc-values.ts'

// No chain has blocks of this much gas: a limit beyond it is a wrong answer.
const gasMax = 10_000_000_000n

const Gas = LooseQuantity.refine((gas) => gas <= gasMax)

const Estimate = z.object({
  callGasLimit: Gas,
  verificationGasLimit: Gas,
  preVerificationGas: Gas,
  paymasterVerificationGasLimit: Gas.nullish(),
  paymasterPostOpGasLimit: Gas.nullish(),
})

/**
 * The gas limits of an estimate, whatever else the bundler adds. A sponsored operation gets both paymaster limits (the
 * draft's where the bundler leaves one out, no post-operation gas where nobody names any), an unsponsored one none.
 */
export function readEstimate(result: unknown, op: UserOperationDraft): GasLimits {
  const parsed = Estimate.safeParse(result)
  if (!parsed.success) throw new JsonRpcFailure('malformed', true)
  const { callGasLimit, verificationGasLimit, preVerificationGas, ...paymaster } = parsed.data
  const limits = { callGasLimit, verificationGasLimit, preVerificationGas }
  if (op.paymaster === undefined) return limits
  const verification = paymaster.paymasterVerificationGasLimit ?? op.paymasterVerificationGasLimit
  if (verification === undefined) throw new JsonRpcFailure('malformed', true)
  return {
    ...limits,
    paymasterVerificationGasLimit: verification,
    paymasterPostOpGasLimit: paymaster.paymasterPostOpGasLimit ?? op.paymasterPostOpGasLimit ?? 0n,
  }
}

/** `pimlico_getUserOperationGasPrice`: the standard price. */
export const StandardGasPrice: z.ZodType<GasFees> = z
  .object({ standard: z.object({ maxFeePerGas: Quantity, maxPriorityFeePerGas: Quantity }) })
  .transform(({ standard }) => standard)
  .refine(({ maxFeePerGas, maxPriorityFeePerGas }) => maxPriorityFeePerGas <= maxFeePerGas)

// ERC-7769: the inner call reverted.
const revertedCode = -32521
// The EntryPoint's own refusals: validation failed, of the account (AA1x, AA2x) or its paymaster (AA3x).
const entryPointCode = /\bAA\d\d\b/
const dataInText = /\b0x(?:[0-9a-fA-F]{2})*\b/
const wordsBefore = /^.*\breason:\s*/i

/** What a refused estimate means: a call of the operation reverts, or the operation as a whole is refused. */
export function estimateError(refusal: JsonRpcRefusal): BundlerError {
  const { code, message } = refusal
  const isValidation = code !== revertedCode && entryPointCode.test(message)
  const revert = isValidation ? undefined : revertOf(refusal)
  if (revert === undefined && code !== revertedCode)
    return new BundlerError('rejected', refusalReason(refusal))
  const data = revert?.data ?? (dataInText.exec(message)?.[0].toLowerCase() as Hex | undefined)
  if (data === '0x') return new BundlerError('reverted', 'execution reverted', { data })
  if (data !== undefined) return new BundlerError('reverted', decodeRevert(data), { data })
  return new BundlerError('reverted', shortened((revert?.reason ?? message).replace(wordsBefore, '')))
}

/** A refusal in one line: the bundler's words, with revert data in them decoded. */
export function refusalReason({ message, ...refusal }: JsonRpcRefusal): string {
  const decoded = message.replace(dataInText, (data) => (data.length < 10 ? data : decodeRevert(data as Hex)))
  return refusalText({ ...refusal, message: decoded })
}
