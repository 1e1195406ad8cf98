import { toBase64 } from './codec/base64.ts'
import { toHex0x } from './codec/hex.ts'
import { decodeUtf8 } from './codec/utf8.ts'
import { encodeRecoverable } from './ecdsa-signature.ts'
import { isForSmartAccount, signingAddress } from './evm/smart-account-intent.ts'
import type { MessageIntent, SignIntent } from './intent/intent.ts'
import { intentScope } from './intent-scope.ts'
import type { Curve, EncodedSignature, NonEmpty, RawSignature, Signed, TronTransaction } from './network.ts'
import { signedPayload, transactionCodec } from './signing-digest.ts'
import { chainAddress } from './wallet-addresses.ts'

/** The network's part of a sign response, snake_case as on the wire; what does not apply is absent. */
export type SignAnswer = EncodedSignature &
  PayloadAnswer & {
    address: string
    signed_transaction?: string | TronTransaction
    transaction_hash?: string
  }

/** What of it the bytes that are signed tell. */
type PayloadAnswer = {
  signed_payload?: string
  nonce?: string
  recipient?: string
  callback_url?: string
  full_message?: string
  application_domain?: string
}

/**
 * What the API answers for the signatures over `signingDigests(intent, …)`, in their order: each 64 bytes and
 * `recovery` 0 or 1. `address` (the wallet's on the intent's chain) saves deriving it.
 */
export function assembleAnswer(
  intent: SignIntent,
  curve: Curve,
  publicKey: Uint8Array,
  signatures: NonEmpty<RawSignature>,
  address?: string,
): SignAnswer {
  const scope = intentScope(intent, curve)
  const { chain, network } = scope
  const own = address ?? chainAddress(chain, publicKey)
  const [{ signature, recovery }] = signatures
  const signed: Signed = { signature, recovery, publicKey }
  if (intent.kind === 'hash') return { address: own, ...encodeRecoverable(signed) }
  if (intent.kind === 'transaction') {
    const codec = transactionCodec(scope, intent)
    const where = { chain, publicKey, address: own }
    const assembled =
      'digests' in codec
        ? codec.assemble(intent.bytes, where, signatures)
        : codec.assemble(intent.bytes, where, signed)
    return { address: own, ...assembled }
  }
  const encoded = intent.kind === 'message' ? network.encodeSignature(signed) : encodeRecoverable(signed)
  return {
    address: signingAddress(intent, own),
    ...encoded,
    signature: isForSmartAccount(intent)
      ? ownerSignatureType + encoded.signature.slice(2)
      : encoded.signature,
    ...assembleUnsigned(intent, curve, publicKey),
  }
}

/** What of an answer is there before the signature: the bytes to be signed, and of a message whatever else goes into them. */
export function assembleUnsigned(intent: SignIntent, curve: Curve, publicKey: Uint8Array): PayloadAnswer {
  if (intent.kind === 'hash' || intent.kind === 'transaction') return {}
  const payload = signedPayload(intent, intentScope(intent, curve), publicKey)
  return { signed_payload: toHex0x(payload), ...(intent.kind === 'message' && echo(intent, payload)) }
}

/** What a Light Account wants before a signature of its owner's key. */
const ownerSignatureType = '0x00'

function echo(intent: MessageIntent, payload: Uint8Array): PayloadAnswer {
  const answer: PayloadAnswer = {}
  const { nonce, recipient, callbackUrl, applicationDomain, scheme } = intent
  if (nonce !== undefined) answer.nonce = typeof nonce === 'string' ? nonce : toBase64(nonce)
  if (recipient !== undefined) answer.recipient = recipient
  if (callbackUrl !== undefined) answer.callback_url = callbackUrl
  if (intent.network === 'aptos') answer.full_message = decodeUtf8(payload) ?? ''
  if (intent.network === 'solana' && scheme === undefined) {
    answer.application_domain = toHex0x(applicationDomain ?? new Uint8Array(32))
  }
  return answer
}
