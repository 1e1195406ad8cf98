import { toBase64 } from './codec/base64.ts'
import { toHex0x } from './codec/hex.ts'
import { encodeRecoverable } from './ecdsa-signature.ts'
import { isForSmartAccount, signingAddress } from './evm/smart-account-intent.ts'
import type { MessageIntent } from './intent/intent.ts'
import type { Payload } from './payload.ts'
import type { EncodedSignature, NonEmpty, RawSignature, Signed, TronTransaction } from './signature.ts'

/** The network's part of a sign response, snake_case as on the wire; what does not apply is absent. */
export type SignAnswer = EncodedSignature &
  PayloadAnswer & {
    address: string
    signed_transaction?: string | TronTransaction
    transaction_hash?: string
  }

/** The members that follow from the signed bytes. */
type PayloadAnswer = {
  signed_payload?: string
  nonce?: string
  recipient?: string
  callback_url?: string
  full_message?: string
  application_domain?: string
}

/**
 * What the API answers for the signatures over `signingDigests(payload)`, in their order: each 64 bytes and
 * `recovery` 0 or 1.
 */
export function assembleAnswer(payload: Payload, signatures: NonEmpty<RawSignature>): SignAnswer {
  const { intent, network, scope, transaction } = payload
  const { publicKey, address: own } = scope
  const [{ signature, recovery }] = signatures
  const signed: Signed = { signature, recovery, publicKey }
  if (intent.kind === 'hash') return { address: own, ...encodeRecoverable(signed) }
  if (transaction) return { address: own, ...transaction.codec.assemble(transaction.parsed, signatures) }
  const encoded =
    intent.kind === 'message' ? network.message.encodeSignature(signed) : encodeRecoverable(signed)
  return {
    address: signingAddress(intent, own),
    ...encoded,
    signature: isForSmartAccount(intent)
      ? ownerSignatureType + encoded.signature.slice(2)
      : encoded.signature,
    ...assembleUnsigned(payload),
  }
}

/** The part of an answer that exists before the signature: the bytes to sign and, for a message, everything that goes into them. */
export function assembleUnsigned(payload: Payload): PayloadAnswer {
  const { intent, network } = payload
  if (intent.kind === 'hash' || intent.kind === 'transaction') return {}
  const signed = payload.signedPayload()
  if (intent.kind !== 'message') return { signed_payload: toHex0x(signed) }
  return { signed_payload: toHex0x(signed), ...echo(intent), ...network.message.echo?.(intent, signed) }
}

/** What a Light Account wants before a signature of its owner's key. */
const ownerSignatureType = '0x00'

function echo({ nonce, recipient, callbackUrl }: MessageIntent): PayloadAnswer {
  return {
    ...(nonce !== undefined && { nonce: typeof nonce === 'string' ? nonce : toBase64(nonce) }),
    ...(recipient !== undefined && { recipient }),
    ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
  }
}
