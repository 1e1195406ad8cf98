import { keccak_256 } from '@noble/hashes/sha3.js'
import { encodeRecoverable } from '../ecdsa-signature.ts'
import { personalMessage, tronPrefix } from '../evm/personal-message.ts'
import type { Network } from '../network.ts'
import { accountAddress, addressText } from './address.ts'
import { tronTransactions } from './transaction.ts'

/** Tron: base58check addresses with prefix 0x41, TIP-191 messages, protobuf transactions. */
export const tron: Network = {
  name: 'tron',
  curve: 'secp256k1',
  messageFields: [],
  addresses: (publicKey) => ({ tron: addressText(accountAddress(publicKey)) }),
  messagePayload: ({ message }) => personalMessage(tronPrefix, message),
  messageDigest: (payload) => keccak_256(payload),
  encodeSignature: encodeRecoverable,
  transactions: tronTransactions,
}
