import { isPrivateKey } from '@symbolon/networks/private-key'
import type { Curve } from '../protocol/messages.ts'
import type { Random } from './random.ts'

/** A fresh private key of 32 bytes; whoever takes it wipes it. */
export function generateKey(curve: Curve, random: Random): Uint8Array {
  // All but one in 2^128 texts of 32 bytes are keys of secp256k1.
  for (;;) {
    const key = random(32)
    if (isPrivateKey(curve, key)) return key
  }
}
