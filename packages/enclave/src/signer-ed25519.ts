import { sodium } from './native.ts'
import type { Signer } from './signer.ts'

/** ed25519 (RFC 8032) by libsodium; `key` is the seed, `work` its expanded form. The payload is the message itself. */
export const signerEd25519: Signer = {
  publicKeyBytes: 32,
  isPrivateKey: (key) => key.length === 32,
  publicKey(key, work) {
    const publicKey = new Uint8Array(32)
    sodium.crypto_sign_seed_keypair(publicKey, work, key)
    return publicKey
  },
  sign(payload, _key, work) {
    const signature = new Uint8Array(64)
    sodium.crypto_sign_detached(signature, payload, work)
    return { signature, recovery: 0 }
  },
  verify: (payload, signature, publicKey) =>
    sodium.crypto_sign_verify_detached(signature, payload, publicKey),
}
