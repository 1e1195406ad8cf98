import { sha256 } from '#sha2'
import type { Chain } from '../chain.ts'
import { toBase64 } from '../codec/base64.ts'
import { concat } from '../codec/concat.ts'
import { toHex } from '../codec/hex.ts'
import { isSameBytes } from '../codec/same-bytes.ts'
import { encodeEd25519 } from '../ed25519-signature.ts'
import type { Parsed, TransactionCodec, WalletScope } from '../network.ts'
import { invalidPayload } from '../network-error.ts'
import { onlyDigest, type Signed } from '../signature.ts'
import { decodeStellarEffects } from './effects.ts'
import { type NeededSignature, signatureHint } from './keys.ts'
import { networkId } from './network-id.ts'
import { decodeEnvelope, type Signable, type StellarEnvelope, signaturesMax } from './transaction-envelope.ts'
import { looksLikeStellarTransaction } from './transaction-shape.ts'

/** An envelope with what the wallet signs of it. */
export type StellarParsed = Parsed<StellarEnvelope> & { readonly signable: Signable }

/**
 * Transactions as TransactionEnvelope (XDR). The wallet signs the transaction if that is its own and not signed by it
 * yet, otherwise the fee bump that it pays. Signatures that are there are kept.
 */
export const stellarTransaction: TransactionCodec<StellarParsed> = {
  encoding: 'base64',
  isLike: looksLikeStellarTransaction,
  parse(bytes, scope) {
    const transaction = decodeEnvelope(bytes, scope.chain)
    return { transaction, bytes, scope, signable: signableOf(transaction, scope) }
  },
  effects: ({ transaction, scope, signable }) =>
    decodeStellarEffects(transaction, signable === transaction.feeBump, scope),
  digests: ({ signable, scope: { chain } }) => onlyDigest(hashOf(signable, chain)),
  assemble({ transaction: envelope, bytes, scope, signable }, [signature]) {
    const { chain, publicKey } = scope
    const signed = { ...signature, publicKey }
    const isWhole = signable === (envelope.feeBump ?? envelope.transaction)
    return {
      ...encodeEd25519(signed),
      signed_transaction: toBase64(addSignature(bytes, signable, signed)),
      ...(isWhole && hasOthers(envelope, scope) && { transaction_hash: toHex(hashOf(signable, chain)) }),
    }
  },
}

/** The part of an envelope that the wallet signs; `invalid_payload` if neither source is the wallet. */
function signableOf({ transaction, feeBump }: StellarEnvelope, scope: WalletScope): Signable {
  const { publicKey } = scope
  const isSource = isSameBytes(transaction.source.key, publicKey)
  if (!feeBump) {
    if (isSource) return transaction
    throw invalidPayload('The source of the transaction is not this wallet.')
  }
  if (
    isSource &&
    !hasSignatures(transaction, scope, [{ hint: signatureHint(publicKey), key: publicKey, message: null }])
  ) {
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

/**
 * As many signatures as are verified of one envelope: each costs a thread about a millisecond. What is behind counts as missing, so that
 * an answer leaves out a hash that it could give, and never gives one too early.
 */
const verifiedMax = 10

/** Whether all signatures but the wallet's are there, as far as the bytes show: accounts may need more of them. */
function hasOthers({ transaction, feeBump }: StellarEnvelope, scope: WalletScope): boolean {
  const isOther = ({ key, message }: NeededSignature) =>
    feeBump !== null || message !== null || key === null || !isSameBytes(key, scope.publicKey)
  return hasSignatures(transaction, scope, transaction.needed.filter(isOther))
}

/** Whether signatures are there and good: marks are four bytes, which anybody can copy, and two keys can share. */
function hasSignatures(
  signable: Signable,
  { chain, isSignature }: WalletScope,
  needed: readonly NeededSignature[],
): boolean {
  const hash = hashOf(signable, chain)
  let left = verifiedMax
  const isGood = (signature: Uint8Array, { key, message }: NeededSignature) =>
    key === null
      ? message !== null && isSameBytes(sha256(signature), message)
      : signature.length === 64 && left-- > 0 && isSignature(signature, message ?? hash, key)
  return needed.every((one) =>
    signable.signatures.some(({ hint, signature }) => isSameBytes(hint, one.hint) && isGood(signature, one)),
  )
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
