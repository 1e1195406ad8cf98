import { toBase58 } from '../codec/base58.ts'
import { toBase64 } from '../codec/base64.ts'
import { toHex0x } from '../codec/hex.ts'
import type { Parsed, TransactionCodec } from '../network.ts'
import { onlyDigest } from '../signature.ts'
import { solanaEffects } from './effects.ts'
import {
  decodeSolanaTransaction,
  encodeSolanaTransaction,
  type SolanaTransaction,
} from './raw-transaction.ts'
import { looksLikeSolanaTransaction } from './transaction-shape.ts'

/**
 * Messages, bare or in a transaction with signature slots, legacy or version 0. The message is what is signed; the
 * signatures of others stay, and while one misses there is no `transaction_hash`.
 */
export const solanaTransaction: TransactionCodec<Parsed<SolanaTransaction>> = {
  encoding: 'base64',
  isLike: looksLikeSolanaTransaction,
  parse: (bytes, scope) => ({ transaction: decodeSolanaTransaction(bytes, scope.publicKey), bytes, scope }),
  effects: ({ transaction: { message, place }, scope }) => solanaEffects(message, scope, place),
  digests: ({ transaction: { message } }) => onlyDigest(message.bytes.slice()),
  assemble({ transaction: { message, signatures, place } }, [{ signature }]) {
    const all = signatures.with(place, signature)
    const [first = signature] = all
    const isComplete = all.every((slot) => slot.some((byte) => byte !== 0))
    return {
      signature: toHex0x(signature),
      encoding: 'hex',
      signature_base58: toBase58(signature),
      signed_transaction: toBase64(encodeSolanaTransaction(message, all)),
      ...(isComplete && { transaction_hash: toBase58(first) }),
    }
  },
}
