import { sodium } from './native.ts'
import type { Slot } from './secure-slots.ts'

const secretBytes = 32

/** Doubles an element of GF(2^8) modulo 0x11b, in time that does not depend on it. */
const double = (value: number): number => ((value << 1) ^ (0x1b & -(value >> 7))) & 0xff

/**
 * Splits `key` into its shares at x = 1 and x = 2 (Shamir, threshold 2, as `splitSecret` of @symbolon/crypto)
 * without a byte of it outside of locked memory. `slopes` is working space.
 */
export function splitKey(key: Slot, slopes: Slot, atOne: Slot, atTwo: Slot): void {
  sodium.randombytes_buf(slopes.key)
  for (let i = 0; i < secretBytes; i++) {
    const secret = key.key[i] ?? 0
    const slope = slopes.key[i] ?? 0
    atOne.share[i] = secret ^ slope
    atTwo.share[i] = secret ^ double(slope)
  }
  atOne.share[secretBytes] = 1
  atTwo.share[secretBytes] = 2
}
