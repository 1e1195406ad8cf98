import { operationFee, operationOfHash } from '../evm/stored-operation.ts'
import type { SignIntent } from '../intent/intent.ts'
import { unlessRefused } from '../network-error.ts'
import type { Payload } from '../payload.ts'
import type { SignPreview } from '../preview/sign-preview.ts'
import type { StoredOperation } from './agent-decoded.ts'

/** `shown` with the fee of the operation whose hash the payload is, if the account pays it: the hash alone does not say. */
export function withOperationFee(
  shown: SignPreview,
  { intent, scope: { chain } }: Payload,
  operation: StoredOperation,
): SignPreview {
  const hash = hashIn(intent)
  const known = hash && unlessRefused(() => operationOfHash(hash, chain, operation))
  const amount = known === undefined ? null : operationFee(known)
  if (amount === null) return shown
  return { ...shown, fee: { asset: chain.nativeAsset.symbol, amount: amount.toString() } }
}

/** The 32 bytes that may be the hash of an operation: signed as one, or as the bytes of a message. */
function hashIn(intent: SignIntent): Uint8Array | undefined {
  if (intent.kind === 'user_operation') return intent.hash
  return intent.kind === 'message' && intent.message.length === 32 ? intent.message : undefined
}
