import { sha256 } from '#sha2'
import { toHex } from '../codec/hex.ts'
import { encodeRecoverable } from '../ecdsa-signature.ts'
import type { Decoded } from '../effect.ts'
import type { Parsed, TransactionCodec } from '../network.ts'
import { onlyDigest } from '../signature.ts'
import { tronEffects } from './effects.ts'
import { decodeTronTransaction, type TronTransaction } from './raw-transaction.ts'

/** A transaction with its effects: what has no preview is not signed. */
export type TronParsed = Parsed<TronTransaction> & { readonly decoded: Decoded }

/** Transactions by their `raw_data` in protobuf; the id is the SHA-256 of those bytes, which is what is signed. */
export const tronTransaction: TransactionCodec<TronParsed> = {
  encoding: 'bare_hex',
  parse(bytes, scope) {
    const transaction = decodeTronTransaction(bytes, scope.address)
    return { transaction, bytes, scope, decoded: tronEffects(transaction, bytes.length, scope) }
  },
  effects: ({ decoded }) => decoded,
  digests: ({ bytes }) => onlyDigest(sha256(bytes)),
  assemble({ bytes, scope }, [signed]) {
    const encoded = encodeRecoverable({ ...signed, publicKey: scope.publicKey })
    const txID = toHex(sha256(bytes))
    const signature = [encoded.signature.slice(2)]
    return {
      ...encoded,
      signed_transaction: { raw_data_hex: toHex(bytes), signature, txID },
      transaction_hash: txID,
    }
  },
}
