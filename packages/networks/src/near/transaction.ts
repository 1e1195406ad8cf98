import { sha256 } from '#sha2'
import { toBase58 } from '../codec/base58.ts'
import { toBase64 } from '../codec/base64.ts'
import { concat } from '../codec/concat.ts'
import { encodeEd25519 } from '../ed25519-signature.ts'
import type { Parsed, TransactionCodec } from '../network.ts'
import { onlyDigest } from '../signature.ts'
import { nearEffects } from './effects.ts'
import { decodeNearTransaction, delegatePrefixBytes, type NearTransaction } from './raw-transaction.ts'
import { looksLikeNearTransaction } from './transaction-shape.ts'

/** The kind of an ed25519 signature in borsh. */
const ed25519Tag = Uint8Array.of(0)

/**
 * Borsh transactions of version 0, and delegate actions with their prefix (NEP-366), of which the answer is the signed
 * delegate action for a relayer, without a `transaction_hash`: that is the relayer's.
 */
export const nearTransaction: TransactionCodec<Parsed<NearTransaction>> = {
  encoding: 'base64',
  isLike: looksLikeNearTransaction,
  parse: (bytes, scope) => ({ transaction: decodeNearTransaction(bytes, scope.publicKey), bytes, scope }),
  effects: ({ transaction, bytes, scope }) => nearEffects(transaction, bytes.length, scope),
  digests: ({ bytes }) => onlyDigest(sha256(bytes)),
  assemble({ transaction: { isDelegate }, bytes, scope }, [signature]) {
    const body = isDelegate ? bytes.subarray(delegatePrefixBytes) : bytes
    return {
      ...encodeEd25519({ ...signature, publicKey: scope.publicKey }),
      signed_transaction: toBase64(concat(body, ed25519Tag, signature.signature)),
      ...(!isDelegate && { transaction_hash: toBase58(sha256(bytes)) }),
    }
  },
}
