import { createRequire } from 'node:module'

/** The part of libsodium (`sodium-native`) that the enclave uses; buffers are written in place. */
export type Sodium = {
  /** Guarded, locked memory (`sodium_malloc`): never swapped, zeroed when freed. */
  sodium_malloc(bytes: number): Uint8Array
  sodium_memzero(bytes: Uint8Array): void
  randombytes_buf(bytes: Uint8Array): void
  /** BLAKE2b (RFC 7693) under a key of 16 to 64 bytes; `out` has 16 to 64 bytes. */
  crypto_generichash(out: Uint8Array, input: Uint8Array, key: Uint8Array): void
  crypto_aead_chacha20poly1305_ietf_encrypt(
    sealed: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
    secretNonce: null,
    nonce: Uint8Array,
    key: Uint8Array,
  ): number
  /** Throws, the plaintext zeroed, when the tag is wrong. */
  crypto_aead_chacha20poly1305_ietf_decrypt_detached(
    plaintext: Uint8Array,
    secretNonce: null,
    ciphertext: Uint8Array,
    tag: Uint8Array,
    aad: Uint8Array,
    nonce: Uint8Array,
    key: Uint8Array,
  ): void
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean
}

// Native addons have no ES module form.
const require = createRequire(import.meta.url)

/** libsodium. */
export const sodium: Sodium = require('sodium-native')
