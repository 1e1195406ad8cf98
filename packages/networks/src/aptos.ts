import { sha3_256 } from '@noble/hashes/sha3.js'
import { concat } from './concat.ts'
import { encodeEd25519 } from './ed25519-signature.ts'
import { toHex0x } from './hex.ts'
import type { Network } from './network.ts'
import { invalidPayload, invalidRequest } from './network-error.ts'
import { decodeUtf8, encodeUtf8 } from './utf8.ts'

const singleKeyScheme = Uint8Array.of(0)

/** Aptos: legacy ed25519 authentication keys as addresses, messages of the wallet standard. */
export const aptos: Network = {
  name: 'aptos',
  curve: 'ed25519',
  messageFields: ['nonce'],
  addresses: (publicKey) => ({ aptos: toHex0x(sha3_256(concat(publicKey, singleKeyScheme))) }),
  messagePayload({ message, nonce }) {
    if (typeof nonce !== 'string') throw invalidRequest('The nonce must be a text.')
    const text = decodeUtf8(message)
    if (text === undefined) throw invalidPayload('The message is not UTF-8.')
    return encodeUtf8(`APTOS\nmessage: ${text}\nnonce: ${nonce}`)
  },
  messageDigest: (payload) => payload,
  encodeSignature: encodeEd25519,
}
