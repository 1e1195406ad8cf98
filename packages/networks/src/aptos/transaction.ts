import { sha3 } from '#keccak'
import { byteWriter } from '../codec/byte-writer.ts'
import { concat } from '../codec/concat.ts'
import { fromHex0x, toHex0x } from '../codec/hex.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { encodeEd25519 } from '../ed25519-signature.ts'
import type { Parsed, TransactionCodec } from '../network.ts'
import { onlyDigest, type Signed } from '../signature.ts'
import { decodeAptosEffects } from './effects.ts'
import { type AptosTransaction, decodeAptosTransaction } from './raw-transaction.ts'
import { looksLikeAptosTransaction } from './transaction-shape.ts'

const [rawPrefix, withDataPrefix, transactionPrefix] = [
  'RawTransaction',
  'RawTransactionWithData',
  'Transaction',
].map((name) => sha3(encodeUtf8(`APTOS::${name}`))) as [Uint8Array, Uint8Array, Uint8Array]

/** Variant of user transactions in the type that is hashed for the id. */
const userTransaction = Uint8Array.of(0)

/**
 * Transactions in BCS. The signed form of one that others sign too is a SignedTransaction whose missing
 * authenticators are the empty one (variant 4), and has no hash yet.
 */
export const aptosTransaction: TransactionCodec<Parsed<AptosTransaction>> = {
  encoding: 'base64',
  isLike: looksLikeAptosTransaction,
  parse: (bytes, scope) => ({
    transaction: decodeAptosTransaction(bytes, scope.chain, scope.address),
    bytes,
    scope,
  }),
  effects: ({ transaction, scope }) => decodeAptosEffects(transaction, scope),
  digests: ({ transaction: { others }, bytes }) =>
    onlyDigest(concat(others ? withDataPrefix : rawPrefix, bytes)),
  assemble({ transaction, scope }, [signature]) {
    const signed = { ...signature, publicKey: scope.publicKey }
    const authenticator = encodeAuthenticator(transaction, scope.address, signed)
    const encoded = concat(transaction.raw, authenticator.bytes)
    const hash = () => toHex0x(sha3(concat(transactionPrefix, userTransaction, encoded)))
    return {
      ...encodeEd25519(signed),
      signed_transaction: toHex0x(encoded),
      ...(authenticator.isComplete && { transaction_hash: hash() }),
    }
  },
}

/** TransactionAuthenticator: 0 the wallet alone, 2 with further signers, 3 with a fee payer. */
function encodeAuthenticator(
  { others, feePayer }: AptosTransaction,
  wallet: string,
  { publicKey, signature }: Signed,
): { bytes: Uint8Array; isComplete: boolean } {
  const writer = byteWriter(160)
  const writeOwn = () => {
    // Variant 0 in either kind of authenticator: ed25519.
    writer.bytes(Uint8Array.of(0, publicKey.length))
    writer.bytes(publicKey)
    writer.u8(signature.length)
    writer.bytes(signature)
  }
  if (!others) {
    writeOwn()
    return { bytes: writer.finish(), isComplete: true }
  }
  writer.u8(feePayer ? 3 : 2)
  writeOwn()
  writeLength(writer, others.length)
  for (const address of others) writer.bytes(addressBytes(address))
  writeLength(writer, others.length)
  for (const _ of others) writer.u8(noAuthenticator)
  const isOwnFee = feePayer === wallet
  if (feePayer) writer.bytes(addressBytes(feePayer))
  if (isOwnFee) writeOwn()
  else if (feePayer) writer.u8(noAuthenticator)
  return { bytes: writer.finish(), isComplete: others.length === 0 && (!feePayer || isOwnFee) }
}

function addressBytes(address: string): Uint8Array {
  return fromHex0x(address) ?? new Uint8Array(0)
}

/** AccountAuthenticator::NoAccountAuthenticator. */
const noAuthenticator = 4

function writeLength(writer: ReturnType<typeof byteWriter>, length: number): void {
  let left = length
  for (; left >= 0x80; left >>>= 7) writer.u8((left & 0x7f) | 0x80)
  writer.u8(left)
}
