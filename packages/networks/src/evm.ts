import { keccak_256 } from '@noble/hashes/sha3.js'
import { encodeRecoverable } from './ecdsa-signature.ts'
import { accountBytes, checksumAddress } from './evm/address.ts'
import { ethereumPrefix, personalMessage } from './evm/personal-message.ts'
import { evmTransactions } from './evm/transactions.ts'
import type { Network } from './network.ts'

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
