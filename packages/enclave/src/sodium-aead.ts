import { sodium } from './native.ts'

/** ChaCha20-Poly1305 (RFC 8439) of one text: `out` is as long as `ciphertext`, `tag` has 16 bytes, `iv` 12, `key` 32. */
export type Opening = {
  out: Uint8Array
  ciphertext: Uint8Array
  tag: Uint8Array
  aad: Uint8Array
  iv: Uint8Array
  key: Uint8Array
}

/** Length of an iv, in bytes. */
export const ivBytes = 12
/** Length of a tag, in bytes. */
export const tagBytes = 16

const idleBytes = 33
const noKey = new Uint8Array(32)

/**
 * libsodium's ChaCha20 leaves its key in dead stack frames, from where a copy was found on the heap. An idle opening
 * after each real one, under a key of zeros, goes over the same frames.
 */
const idle = idleOpening()

function idleOpening(): Opening {
  const [aad, iv, key] = [new Uint8Array(61), new Uint8Array(ivBytes), noKey]
  const sealed = new Uint8Array(idleBytes + tagBytes)
  const out = new Uint8Array(idleBytes)
  sodium.crypto_aead_chacha20poly1305_ietf_encrypt(sealed, out, aad, null, iv, key)
  return { out, ciphertext: sealed.subarray(0, idleBytes), tag: sealed.subarray(idleBytes), aad, iv, key }
}

/**
 * Opens a text into `out`, by libsodium alone: no other memory holds it for a moment. Says whether it opened; `out` holds zeros
 * when it did not.
 */
export function openInPlace(real: Opening): boolean {
  let isOpen = true
  // One place of calling for both, so that the second meets the same stack as the first.
  for (let opening = real; ; opening = idle) {
    try {
      decrypt(opening)
    } catch {
      isOpen = false
    }
    if (opening === idle) break
  }
  if (!isOpen) sodium.sodium_memzero(real.out)
  return isOpen
}

function decrypt({ out, ciphertext, tag, aad, iv, key }: Opening): void {
  sodium.crypto_aead_chacha20poly1305_ietf_decrypt_detached(out, null, ciphertext, tag, aad, iv, key)
}

function encrypt(
  sealed: Uint8Array,
  plaintext: Uint8Array,
  aad: Uint8Array,
  iv: Uint8Array,
  key: Uint8Array,
): void {
  sodium.crypto_aead_chacha20poly1305_ietf_encrypt(sealed, plaintext, aad, null, iv, key)
}

/** Seals a text that is read where it is: a fresh random iv, ciphertext, tag. */
export function sealInPlace(plaintext: Uint8Array, aad: Uint8Array, key: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(ivBytes + plaintext.length + tagBytes)
  const iv = sealed.subarray(0, ivBytes)
  sodium.randombytes_buf(iv)
  const turns = [
    { target: sealed.subarray(ivBytes), text: plaintext, under: key },
    {
      target: new Uint8Array(plaintext.length + tagBytes),
      text: new Uint8Array(plaintext.length),
      under: noKey,
    },
  ]
  for (const { target, text, under } of turns) encrypt(target, text, aad, iv, under)
  return sealed
}
