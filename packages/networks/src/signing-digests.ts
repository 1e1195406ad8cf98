import { keccak256 } from '#keccak'
import { checkedHash, type Payload } from './payload.ts'
import { type NonEmpty, onlyDigest, type SigningDigest } from './signature.ts'

/**
 * What the signer signs, in order: one digest for anything but a transaction with several inputs of the wallet. Throws `NetworkError` on
 * what can be parsed and is not signed all the same.
 */
export function signingDigests(payload: Payload): NonEmpty<SigningDigest> {
  const { intent, network, transaction } = payload
  if (transaction) return transaction.codec.digests(transaction.parsed)
  if (intent.kind === 'hash') return onlyDigest(checkedHash(intent.hash))
  const signed = payload.signedPayload()
  return onlyDigest(intent.kind === 'message' ? network.message.digest(signed) : keccak256(signed))
}
