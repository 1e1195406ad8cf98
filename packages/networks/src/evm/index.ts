import { keccak_256 } from '@noble/hashes/sha3.js'
import { encodeRecoverable } from '../ecdsa-signature.ts'
import type { Network } from '../network.ts'
import { accountBytes, checksumAddress } from './address.ts'
import { ethereumPrefix, personalMessage } from './personal-message.ts'
import { evmTransactions } from './transaction.ts'

/** Ethereum and its kin: EIP-55 addresses, EIP-191 messages, unsigned RLP transactions. */
export const evm: Network = {
  name: 'evm',
  curve: 'secp256k1',
  messageFields: [],
  addresses: (publicKey) => ({ evm: checksumAddress(accountBytes(publicKey)) }),
  messagePayload: ({ message }) => personalMessage(ethereumPrefix, message),
  messageDigest: (payload) => keccak_256(payload),
  encodeSignature: encodeRecoverable,
  transactions: evmTransactions,
}
