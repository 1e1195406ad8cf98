import type { RecordCipher } from '@symbolon/crypto/node'
import { sodium } from './native.ts'

const tagBytes = 16

/**
 * The cipher of records by libsodium, `key` in locked memory. What it opens is written into `plaintexts` and nowhere
 * else; it is valid until the next opening and the caller zeroes it.
 */
export function sodiumRecordCipher(key: Uint8Array, plaintexts: Uint8Array): RecordCipher {
  return {
    seal(out, plaintext, nonce, aad) {
      sodium.crypto_aead_chacha20poly1305_ietf_encrypt(out, plaintext, aad, null, nonce, key)
    },
    open(sealed, nonce, aad) {
      const length = sealed.length - tagBytes
      const plaintext = plaintexts.subarray(0, length)
      const ciphertext = sealed.subarray(0, length)
      const tag = sealed.subarray(length)
      try {
        sodium.crypto_aead_chacha20poly1305_ietf_decrypt_detached(
          plaintext,
          null,
          ciphertext,
          tag,
          aad,
          nonce,
          key,
        )
      } catch {
        return undefined
      }
      return plaintext
    },
  }
}
