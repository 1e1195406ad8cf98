import { byteReader } from '../codec/byte-reader.ts'
import { toHex } from '../codec/hex.ts'
import { invalidPayload } from '../network-error.ts'
import { isDerivedAccount } from './account-id.ts'
import { type NearAction, readAccountId, readActions, readDelegateAction, readKey } from './actions.ts'

/**
 * What is signed: `actions` of `signer` on `receiver`. `isDelegate`: a relayer sends them and pays the fee, no later
 * than the block `maxBlockHeight`.
 */
export type NearTransaction = {
  readonly isDelegate: boolean
  readonly signer: string
  readonly receiver: string
  readonly actions: readonly NearAction[]
  readonly maxBlockHeight: bigint | null
}

/** `max_transaction_size` of the protocol. */
const bytesMax = 1_572_864
/** 2^30 + 366: what is signed of a delegate action starts with it (NEP-461, NEP-366). */
const delegatePrefix = 0x4000016e
/** Length of that prefix. */
export const delegatePrefixBytes = 4

/**
 * Decodes a transaction (version 0, borsh) or a delegate action with its prefix. The key in it must be `publicKey`,
 * the signer the account that follows from it or a named one, otherwise `invalid_payload`; as are trailing bytes.
 */
export function decodeNearTransaction(bytes: Uint8Array, publicKey: Uint8Array): NearTransaction {
  if (bytes.length > bytesMax) throw invalidPayload('The transaction is too long.')
  const isDelegate = bytes.length >= delegatePrefixBytes && byteReader(bytes).u32() === delegatePrefix
  const reader = byteReader(bytes, isDelegate ? delegatePrefixBytes : 0)
  const transaction = isDelegate ? delegateOf(reader) : transactionOf(reader)
  if (reader.left() !== 0) throw invalidPayload('The transaction has trailing bytes.')
  const { signer, key } = transaction
  if (!isEd25519Key(key, publicKey)) throw invalidPayload("The key is not the wallet's.")
  if (isDerivedAccount(signer) && signer !== toHex(publicKey)) {
    throw invalidPayload("The signer is not the wallet's account.")
  }
  return { ...transaction, isDelegate }
}

function isEd25519Key(key: Uint8Array, publicKey: Uint8Array): boolean {
  return key[0] === 0 && publicKey.every((byte, index) => byte === key[index + 1])
}

type Reader = ReturnType<typeof byteReader>

function transactionOf(reader: Reader) {
  const signer = readAccountId(reader)
  const key = readKey(reader)
  // The nonce of the key.
  reader.u64()
  const receiver = readAccountId(reader)
  // The hash of a recent block.
  reader.bytes(32)
  return { signer, key, receiver, actions: readActions(reader), maxBlockHeight: null }
}

function delegateOf(reader: Reader) {
  const { sender, key, receiver, actions, maxBlockHeight } = readDelegateAction(reader)
  return { signer: sender, key, receiver, actions, maxBlockHeight }
}
