import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { createBase58check } from '@scure/base'
import { concat } from './concat.ts'
import { encodeRecoverable } from './ecdsa-signature.ts'
import { accountBytes } from './evm/address.ts'
import { personalMessage, tronPrefix } from './evm/personal-message.ts'
import type { Network } from './network.ts'

const base58check = createBase58check(sha256)
const addressPrefix = Uint8Array.of(0x41)

/** Tron: base58check addresses with prefix 0x41, TIP-191 messages. */
export const tron: Network = {
  name: 'tron',
  curve: 'secp256k1',
  messageFields: [],
  addresses: (publicKey) => ({ tron: base58check.encode(concat(addressPrefix, accountBytes(publicKey))) }),
  messagePayload: ({ message }) => personalMessage(tronPrefix, message),
  messageDigest: (payload) => keccak_256(payload),
  encodeSignature: encodeRecoverable,
}
