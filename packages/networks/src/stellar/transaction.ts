import { sha256 } from '@noble/hashes/sha2.js'
import type { Chain } from '../chain.ts'
import { toBase64 } from '../codec/base64.ts'
import { concat } from '../codec/concat.ts'
import { toHex } from '../codec/hex.ts'
import { isSameBytes } from '../codec/same-bytes.ts'
import { encodeEd25519 } from '../ed25519-signature.ts'
import type { Parsed, TransactionCodec } from '../network.ts'
import { invalidPayload } from '../network-error.ts'
import { onlyDigest, type Signed } from '../signature.ts'
import { decodeStellarEffects } from './effects.ts'
import { signatureHint } from './keys.ts'
import { networkId } from './network-id.ts'
import {
  type DecoratedSignature,
  decodeEnvelope,
  type Signable,
  type StellarEnvelope,
  signaturesMax,
} from './transaction-envelope.ts'
import { looksLikeStellarTransaction } from './transaction-shape.ts'

/**
 * Transactions as TransactionEnvelope (XDR). The wallet signs the transaction if that is its own and not signed by it
 * yet, otherwise the fee bump that it pays. Signatures that are there are kept.
 */
export const stellarTransaction: TransactionCodec<Parsed<StellarEnvelope>> = {
  encoding: 'base64',
  isLike: looksLikeStellarTransaction,
  parse: (bytes, scope) => ({ transaction: decodeEnvelope(bytes, scope.chain), bytes, scope }),
  effects({ transaction: envelope, scope }) {
    const isFeeBump = signableOf(envelope, scope.publicKey) === envelope.feeBump
    return decodeStellarEffects(envelope, isFeeBump, scope)
  },
  digests: ({ transaction, scope: { chain, publicKey } }) =>
    onlyDigest(hashOf(signableOf(transaction, publicKey), chain)),
  assemble({ transaction: envelope, bytes, scope: { chain, publicKey } }, [signature]) {
    const signed = { ...signature, publicKey }
    const signable = signableOf(envelope, publicKey)
    const isWhole = signable === (envelope.feeBump ?? envelope.transaction)
    return {
      ...encodeEd25519(signed),
      signed_transaction: toBase64(addSignature(bytes, signable, signed)),
      ...(isWhole && hasOthers(envelope, publicKey) && { transaction_hash: toHex(hashOf(signable, chain)) }),
    }
  },
}

/** The part of an envelope that the wallet signs; `invalid_payload` if neither source is the wallet. */
function signableOf({ transaction, feeBump }: StellarEnvelope, publicKey: Uint8Array): Signable {
  const isSource = isSameBytes(transaction.source.key, publicKey)
  if (!feeBump) {
    if (isSource) return transaction
    throw invalidPayload('The source of the transaction is not this wallet.')
  }
  if (isSource && !isMarked(transaction.signatures, publicKey)) {
    if (feeBump.signatures.length > 0)
      throw invalidPayload('The fee bump is signed already: its transaction cannot be signed any more.')
    return transaction
  }
  if (isSameBytes(feeBump.source.key, publicKey)) return feeBump
  throw invalidPayload('This wallet pays neither the fee nor is it the source without a signature.')
}

function hashOf({ body }: Signable, chain: Chain): Uint8Array {
  return sha256(concat(networkId(chain), body))
}

/** Whether all signatures but the wallet's are there, as far as the bytes show: accounts may need more of them. */
function hasOthers({ transaction, feeBump }: StellarEnvelope, publicKey: Uint8Array): boolean {
  const own = feeBump ? null : signatureHint(publicKey)
  return transaction.hints.every(
    (hint) =>
      (own !== null && isSameBytes(hint, own)) ||
      transaction.signatures.some((given) => isSameBytes(given.hint, hint)),
  )
}

function isMarked(signatures: readonly DecoratedSignature[], publicKey: Uint8Array): boolean {
  const hint = signatureHint(publicKey)
  return signatures.some((given) => isSameBytes(given.hint, hint))
}

function addSignature(
  bytes: Uint8Array,
  { start, end, signatures }: Signable,
  { publicKey, signature }: Signed,
): Uint8Array {
  if (signatures.some((given) => isSameBytes(given.signature, signature))) return bytes
  const count = signatures.length + 1
  if (count > signaturesMax) throw invalidPayload('The envelope holds as many signatures as it can.')
  const length = Uint8Array.of(0, 0, 0, signature.length)
  return concat(
    bytes.subarray(0, start),
    Uint8Array.of(0, 0, 0, count),
    bytes.subarray(start + 4, end),
    signatureHint(publicKey),
    length,
    signature,
    bytes.subarray(end),
  )
}
