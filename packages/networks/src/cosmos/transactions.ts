import { sha256 } from '@noble/hashes/sha2.js'
import { base64 } from '@scure/base'
import { encodeCompact } from '../ecdsa-signature.ts'
import { toHex } from '../hex.ts'
import type { TransactionCodec } from '../network.ts'
import { accountAddress, addressPrefix } from './address.ts'
import { decodeAmino } from './amino.ts'
import { decodeDirect } from './direct.ts'
import type { CosmosTransaction, SignerScope } from './transaction.ts'
import { cosmosEffects } from './transaction-effects.ts'

/**
 * Transactions by their SignDoc (SIGN_MODE_DIRECT). Where others sign too, the TxRaw has empty signatures in their
 * places and no hash.
 */
export const directTransactions = codec(decodeDirect)

/** Transactions by their canonical amino JSON document; without a TxRaw where the document does not tell it. */
export const aminoTransactions = codec(decodeAmino)

function codec(read: (bytes: Uint8Array, scope: SignerScope) => CosmosTransaction): TransactionCodec {
  return {
    decode: (bytes, scope) => cosmosEffects(read(bytes, scope), scope),
    digest(bytes, { chain, publicKey }) {
      const address = accountAddress(addressPrefix(chain), publicKey)
      // What has no preview is not signed.
      cosmosEffects(read(bytes, { chain, publicKey }), { chain, publicKey, address })
      return sha256(bytes)
    },
    assemble(bytes, scope, signed) {
      const { assemble, isAlone } = read(bytes, scope)
      const raw = assemble?.(signed.signature)
      return {
        ...encodeCompact(signed),
        ...(raw && { signed_transaction: base64.encode(raw) }),
        ...(raw && isAlone && { transaction_hash: toHex(sha256(raw)).toUpperCase() }),
      }
    },
  }
}
