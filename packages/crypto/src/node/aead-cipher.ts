import { type CipherGCM, type Cipheriv, createCipheriv, type KeyObject } from 'node:crypto'

/** The two ciphers of envelopes: AES-256-GCM (NIST SP 800-38D) and ChaCha20-Poly1305 (RFC 8439). */
export type AeadName = 'aes-256-gcm' | 'chacha20-poly1305'

// By default, Node accepts tags down to 4 bytes.
const options = { authTagLength: 16 }

/** A cipher of a 96-bit iv and a 128-bit tag. */
export function aeadCipher(name: AeadName, key: Uint8Array | KeyObject, iv: Uint8Array): CipherGCM {
  // Its other methods are the same; the types only differ in options that are for CCM.
  return createCipheriv(name as 'aes-256-gcm', key, iv, options)
}

/** The key stream that `aeadCipher` puts over its plaintext, as a cipher of its own. */
export function streamCipher(name: AeadName, key: Uint8Array | KeyObject, iv: Uint8Array): Cipheriv {
  if (name === 'chacha20-poly1305') return aeadCipher(name, key, iv)
  // GCM counts from `iv ‖ 00000002` (NIST SP 800-38D, sections 7.1 and 7.2).
  const counter = new Uint8Array(16)
  counter.set(iv)
  counter[15] = 2
  return createCipheriv('aes-256-ctr', key, counter)
}
