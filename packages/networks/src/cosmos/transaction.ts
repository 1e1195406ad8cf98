import { sha256 } from '#sha2'
import { toBase64 } from '../codec/base64.ts'
import { toHex } from '../codec/hex.ts'
import { encodeCompact } from '../ecdsa-signature.ts'
import type { Decoded } from '../effect.ts'
import type { Parsed, TransactionCodec } from '../network.ts'
import { onlyDigest } from '../signature.ts'
import { decodeAmino } from './amino.ts'
import { decodeDirect } from './direct.ts'
import { cosmosEffects } from './effects.ts'
import type { CosmosTransaction } from './raw-transaction.ts'

/** A transaction with its effects: what has no preview is not signed. */
export type CosmosParsed = Parsed<CosmosTransaction> & { readonly decoded: Decoded }

/**
 * Transactions by their SignDoc (SIGN_MODE_DIRECT), or by their canonical amino JSON document. Where others sign too, the TxRaw has
 * empty signatures in their places and no hash; there is none where the document does not contain it.
 */
export const cosmosTransaction: TransactionCodec<CosmosParsed> = {
  encoding: 'base64',
  signModes: ['amino_json'],
  parse(bytes, scope, signMode) {
    const transaction = (signMode === 'amino_json' ? decodeAmino : decodeDirect)(bytes, scope)
    return { transaction, bytes, scope, decoded: cosmosEffects(transaction, scope) }
  },
  effects: ({ decoded }) => decoded,
  digests: ({ bytes }) => onlyDigest(sha256(bytes)),
  assemble({ transaction: { assemble, isAlone }, scope }, [signature]) {
    const raw = assemble?.(signature.signature)
    return {
      ...encodeCompact({ ...signature, publicKey: scope.publicKey }),
      ...(raw && { signed_transaction: toBase64(raw) }),
      ...(raw && isAlone && { transaction_hash: toHex(sha256(raw)).toUpperCase() }),
    }
  },
}
