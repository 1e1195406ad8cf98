import { sha256 } from '@noble/hashes/sha2.js'
import { base32nopad } from '@scure/base'
import { concat } from './concat.ts'
import { encodeEd25519 } from './ed25519-signature.ts'
import type { Network } from './network.ts'

const messagePrefix = new TextEncoder().encode('Stellar Signed Message:\n')
/** Version byte of an ed25519 public key: strkeys of accounts start with G (SEP-23). */
const accountVersion = Uint8Array.of(6 << 3)

/** Stellar: strkey addresses, SEP-53 messages. */
export const stellar: Network = {
  name: 'stellar',
  curve: 'ed25519',
  messageFields: [],
  addresses: (publicKey) => ({ stellar: accountStrkey(publicKey) }),
  messagePayload: ({ message }) => concat(messagePrefix, message),
  messageDigest: (payload) => sha256(payload),
  encodeSignature: encodeEd25519,
}

function accountStrkey(publicKey: Uint8Array): string {
  const body = concat(accountVersion, publicKey)
  const checksum = crc16(body)
  return base32nopad.encode(concat(body, Uint8Array.of(checksum & 0xff, checksum >> 8)))
}

/** CRC-16/XMODEM: polynomial 0x1021, start 0 (SEP-23). */
function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}
