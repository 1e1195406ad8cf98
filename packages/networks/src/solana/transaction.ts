import { toBase58 } from '../codec/base58.ts'
import { toBase64 } from '../codec/base64.ts'
import { toHex0x } from '../codec/hex.ts'
import type { TransactionCodec } from '../network.ts'
import { rememberLast } from '../remember-last.ts'
import { solanaEffects } from './effects.ts'
import { decodeSolanaTransaction, encodeSolanaTransaction } from './raw-transaction.ts'

const read = rememberLast(decodeSolanaTransaction)

/**
 * Messages, bare or in a transaction with signature slots, legacy or version 0. The message is what is signed; the
 * signatures of others stay, and while one misses there is no `transaction_hash`.
 */
export const solanaTransactions: TransactionCodec = {
  decode(bytes, scope) {
    const { message, place } = read(bytes, scope.publicKey)
    return solanaEffects(message, scope, place)
  },
  digest: (bytes, { publicKey }) => read(bytes, publicKey).message.bytes.slice(),
  assemble(bytes, { publicKey }, { signature }) {
    const { message, signatures, place } = read(bytes, publicKey)
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
