import { type KeyObject, randomFillSync, timingSafeEqual } from 'node:crypto'
import { type AeadName, aeadCipher, streamCipher } from './aead-cipher.ts'

const maskBytes = 64
const blockBytes = 16
const smallMask = Buffer.allocUnsafeSlow(maskBytes)

/**
 * Decrypts into `out` (as long as `ciphertext`) and says whether the tag is right; `out` holds zeros when it is not.
 * No other memory ever holds the plaintext: `Decipher.update` leaves a second copy in freed memory, which nobody can
 * zero. So the ciphertext is decrypted under a random mask, which is taken off in `out`, and the tag is computed by
 * encrypting `out` again.
 */
export function decryptUnseen(
  name: AeadName,
  key: Uint8Array | KeyObject,
  iv: Uint8Array,
  ciphertext: Uint8Array,
  tag: Uint8Array,
  aad: Uint8Array,
  out: Uint8Array,
): boolean {
  const { length } = ciphertext
  const mask = length <= maskBytes ? smallMask.subarray(0, length) : Buffer.allocUnsafeSlow(length)
  randomFillSync(mask)
  for (let i = 0; i < length; i++) out[i] = (ciphertext[i] ?? 0) ^ (mask[i] ?? 0)
  const stream = streamCipher(name, key, iv)
  const masked = stream.update(out)
  // Frees the key schedule now instead of at a garbage collection.
  stream.final()
  for (let i = 0; i < length; i++) out[i] = (masked[i] ?? 0) ^ (mask[i] ?? 0)
  mask.fill(0)
  const cipher = aeadCipher(name, key, iv).setAAD(aad)
  cipher.update(out)
  cipher.final()
  if (timingSafeEqual(cipher.getAuthTag(), tag)) return true
  out.fill(0)
  return false
}

/**
 * Ciphertext and 16-byte tag of a plaintext in locked memory, which is read where it is: the cipher works on whole blocks
 * and keeps none, so that the plaintext's length has to be a multiple of 16 bytes.
 */
export function encryptUnseen(
  name: AeadName,
  key: Uint8Array,
  iv: Uint8Array,
  plaintext: Uint8Array,
  aad: Uint8Array,
): Uint8Array {
  if (plaintext.length % blockBytes !== 0) throw new RangeError('not whole blocks')
  const cipher = aeadCipher(name, key, iv).setAAD(aad)
  const ciphertext = cipher.update(plaintext)
  cipher.final()
  return Buffer.concat([ciphertext, cipher.getAuthTag()])
}
