import { sha256 } from '@noble/hashes/sha2.js'
import { byteWriter } from '../codec/byte-writer.ts'
import { toHex } from '../codec/hex.ts'
import { decodeUtf8 } from '../codec/utf8.ts'
import { encodeEd25519 } from '../ed25519-signature.ts'
import type { Network } from '../network.ts'
import { invalidPayload, invalidRequest } from '../network-error.ts'
import { nearTransactions } from './transaction.ts'

/** 2^31 + 413: no transaction starts with it (NEP-413). */
const payloadTag = 2 ** 31 + 413

/** Near: implicit accounts (hex of the key), NEP-413 messages, borsh transactions and delegate actions (NEP-366). */
export const near: Network = {
  name: 'near',
  curve: 'ed25519',
  messageFields: ['nonce', 'recipient', 'callbackUrl'],
  addresses: (publicKey) => ({ near: toHex(publicKey) }),
  messagePayload({ message, nonce, recipient, callbackUrl }) {
    if (!(nonce instanceof Uint8Array) || nonce.length !== 32)
      throw invalidRequest('The nonce must be 32 bytes.')
    if (recipient === undefined) throw invalidRequest('The recipient is missing.')
    if (decodeUtf8(message) === undefined) throw invalidPayload('The message is not UTF-8.')
    const writer = byteWriter(128 + message.length)
    writer.u32(payloadTag)
    writer.sizedBytes(message)
    writer.bytes(nonce)
    writer.sizedText(recipient)
    writer.u8(callbackUrl === undefined ? 0 : 1)
    if (callbackUrl !== undefined) writer.sizedText(callbackUrl)
    return writer.finish()
  },
  messageDigest: (payload) => sha256(payload),
  encodeSignature: encodeEd25519,
  transactions: nearTransactions,
}
