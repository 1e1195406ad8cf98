import { KeyObject, randomFillSync } from 'node:crypto'
import { type AeadName, aeadCipher } from './aead-cipher.ts'
import { EnvelopeError } from './envelope-error.ts'
import { decryptUnseen } from './unseen-aead.ts'

/** Bytes that sealing adds: 96-bit iv before the ciphertext, 128-bit tag after it. */
export const aeadOverhead = 28

const ivLength = 12
const tagLength = 16

/**
 * Seals under a fresh random iv: iv, ciphertext, tag. At most 2^32 seals per key (NIST SP 800-38D section 8.3).
 * Throws `EnvelopeError('invalid_key')`.
 */
export function aeadSeal(
  name: AeadName,
  key: Uint8Array | KeyObject,
  plaintext: Uint8Array,
  aad: Uint8Array,
): Uint8Array {
  assertKey(key)
  const sealed = new Uint8Array(plaintext.length + aeadOverhead)
  const iv = randomFillSync(sealed.subarray(0, ivLength))
  const cipher = aeadCipher(name, key, iv).setAAD(aad)
  sealed.set(cipher.update(plaintext), ivLength)
  cipher.final()
  sealed.set(cipher.getAuthTag(), ivLength + plaintext.length)
  return sealed
}

/**
 * Opens what `aeadSeal` made into `out`, whose length must be the plaintext's; `out` holds zeros when it throws.
 * Throws `EnvelopeError`: `malformed`, `invalid_key`, `invalid_length` or `unauthenticated`.
 */
export function aeadOpen(
  name: AeadName,
  key: Uint8Array | KeyObject,
  sealed: Uint8Array,
  aad: Uint8Array,
  out: Uint8Array,
): Uint8Array {
  assertKey(key)
  const tagStart = sealed.length - tagLength
  if (tagStart < ivLength) throw new EnvelopeError('malformed')
  if (out.length !== tagStart - ivLength) throw new EnvelopeError('invalid_length')
  const iv = sealed.subarray(0, ivLength)
  const ciphertext = sealed.subarray(ivLength, tagStart)
  if (!decryptUnseen(name, key, iv, ciphertext, sealed.subarray(tagStart), aad, out)) {
    throw new EnvelopeError('unauthenticated')
  }
  return out
}

// A key object made of raw bytes here would be faster, but its copy of them would stay until a garbage collection.
const assertKey = (key: Uint8Array | KeyObject): void => {
  const length = key instanceof KeyObject ? key.symmetricKeySize : key.length
  if (length !== 32) throw new EnvelopeError('invalid_key')
}
