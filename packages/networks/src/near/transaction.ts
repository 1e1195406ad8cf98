import { sha256 } from '@noble/hashes/sha2.js'
import { toBase58 } from '../codec/base58.ts'
import { toBase64 } from '../codec/base64.ts'
import { concat } from '../codec/concat.ts'
import { encodeEd25519 } from '../ed25519-signature.ts'
import type { TransactionCodec } from '../network.ts'
import { rememberLast } from '../remember-last.ts'
import { nearEffects } from './effects.ts'
import { decodeNearTransaction, delegatePrefixBytes } from './raw-transaction.ts'

const read = rememberLast(decodeNearTransaction)

/** The kind of an ed25519 signature in borsh. */
const ed25519Tag = Uint8Array.of(0)

/**
 * Borsh transactions of version 0, and delegate actions with their prefix (NEP-366), of which the answer is the signed
 * delegate action for a relayer, without a `transaction_hash`: that is the relayer's.
 */
export const nearTransactions: TransactionCodec = {
  decode: (bytes, scope) => nearEffects(read(bytes, scope.publicKey), bytes.length, scope),
  digest(bytes, { publicKey }) {
    read(bytes, publicKey)
    return sha256(bytes)
  },
  assemble(bytes, { publicKey }, signed) {
    const { isDelegate } = read(bytes, publicKey)
    const body = isDelegate ? bytes.subarray(delegatePrefixBytes) : bytes
    return {
      ...encodeEd25519(signed),
      signed_transaction: toBase64(concat(body, ed25519Tag, signed.signature)),
      ...(!isDelegate && { transaction_hash: toBase58(sha256(bytes)) }),
    }
  },
}
