import { sha256 } from '@noble/hashes/sha2.js'
import type { Chain } from '../chains.ts'
import { toBase64 } from '../codec/base64.ts'
import { toHex } from '../codec/hex.ts'
import { encodeCompact } from '../ecdsa-signature.ts'
import type { TransactionCodec } from '../network.ts'
import { rememberLast } from '../remember-last.ts'
import { accountAddress, addressPrefix } from './address.ts'
import { decodeAmino } from './amino.ts'
import { decodeDirect } from './direct.ts'
import { cosmosEffects } from './effects.ts'
import type { CosmosTransaction, SignerScope } from './raw-transaction.ts'

/**
 * Transactions by their SignDoc (SIGN_MODE_DIRECT). Where others sign too, the TxRaw has empty signatures in their
 * places and no hash.
 */
export const directTransactions = codec(decodeDirect)

/** Transactions by their canonical amino JSON document; without a TxRaw where the document does not tell it. */
export const aminoTransactions = codec(decodeAmino)

function codec(
  decodeTransaction: (bytes: Uint8Array, scope: SignerScope) => CosmosTransaction,
): TransactionCodec {
  const read = rememberLast((bytes: Uint8Array, publicKey: Uint8Array, chain: Chain) =>
    decodeTransaction(bytes, { chain, publicKey }),
  )
  const told = rememberLast((bytes: Uint8Array, publicKey: Uint8Array, chain: Chain, address: string) =>
    cosmosEffects(read(bytes, publicKey, chain), { chain, publicKey, address }),
  )
  return {
    decode: (bytes, { chain, publicKey, address }) => told(bytes, publicKey, chain, address),
    digest(bytes, { chain, publicKey }) {
      // What has no preview is not signed.
      told(bytes, publicKey, chain, accountAddress(addressPrefix(chain), publicKey))
      return sha256(bytes)
    },
    assemble(bytes, { chain, publicKey }, signed) {
      const { assemble, isAlone } = read(bytes, publicKey, chain)
      const raw = assemble?.(signed.signature)
      return {
        ...encodeCompact(signed),
        ...(raw && { signed_transaction: toBase64(raw) }),
        ...(raw && isAlone && { transaction_hash: toHex(sha256(raw)).toUpperCase() }),
      }
    },
  }
}
