import { sha256 } from '@noble/hashes/sha2.js'
import type { Chain } from '../chains.ts'
import { toHex } from '../codec/hex.ts'
import { encodeRecoverable } from '../ecdsa-signature.ts'
import type { TransactionCodec } from '../network.ts'
import { rememberLast } from '../remember-last.ts'
import { accountAddress, addressText } from './address.ts'
import { tronEffects } from './effects.ts'
import { decodeTronTransaction } from './raw-transaction.ts'

const told = rememberLast((bytes: Uint8Array, publicKey: Uint8Array, chain: Chain, address: string) =>
  tronEffects(decodeTronTransaction(bytes, publicKey), bytes.length, { chain, publicKey, address }),
)

const ownAddress = rememberLast((publicKey: Uint8Array) => addressText(accountAddress(publicKey)))

/** Transactions by their `raw_data` in protobuf; the id is the SHA-256 of those bytes, which is what is signed. */
export const tronTransactions: TransactionCodec = {
  decode: (bytes, { chain, publicKey, address }) => told(bytes, publicKey, chain, address),
  digest(bytes, { chain, publicKey }) {
    // What has no preview is not signed.
    told(bytes, publicKey, chain, ownAddress(publicKey))
    return sha256(bytes)
  },
  assemble(bytes, { publicKey }, signed) {
    decodeTronTransaction(bytes, publicKey)
    const encoded = encodeRecoverable(signed)
    const txID = toHex(sha256(bytes))
    const signature = [encoded.signature.slice(2)]
    return {
      ...encoded,
      signed_transaction: { raw_data_hex: toHex(bytes), signature, txID },
      transaction_hash: txID,
    }
  },
}
