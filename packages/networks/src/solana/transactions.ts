import { base58, base64 } from '@scure/base'
import { toHex0x } from '../hex.ts'
import type { TransactionCodec } from '../network.ts'
import { decodeSolanaTransaction, encodeSolanaTransaction } from './transaction.ts'
import { solanaEffects } from './transaction-effects.ts'

/**
 * Messages, bare or in a transaction with signature slots, legacy or version 0. The message is what is signed; the
 * signatures of others stay, and while one misses there is no `transaction_hash`.
 */
export const solanaTransactions: TransactionCodec = {
  decode(bytes, scope) {
    const { message, place } = decodeSolanaTransaction(bytes, scope.publicKey)
    return solanaEffects(message, scope, place)
  },
  digest: (bytes, { publicKey }) => decodeSolanaTransaction(bytes, publicKey).message.bytes,
  assemble(bytes, { publicKey }, { signature }) {
    const { message, signatures, place } = decodeSolanaTransaction(bytes, publicKey)
    const all = signatures.with(place, signature)
    const [first = signature] = all
    const isComplete = all.every((slot) => slot.some((byte) => byte !== 0))
    return {
      signature: toHex0x(signature),
      encoding: 'hex',
      signature_base58: base58.encode(signature),
      signed_transaction: base64.encode(encodeSolanaTransaction(message, all)),
      ...(isComplete && { transaction_hash: base58.encode(first) }),
    }
  },
}
