import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Curve } from '../chain.ts'

/** Whether 32 bytes are a private key: from 1 to the group's order for secp256k1 (SEC 1, 3.2.1), all that are not zero for ed25519. */
export function isPrivateKey(curve: Curve, key: Uint8Array): boolean {
  if (key.length !== 32) return false
  return curve === 'secp256k1' ? secp256k1.utils.isValidSecretKey(key) : key.some((byte) => byte !== 0)
}

/** The public key of a private key: 33 bytes compressed (secp256k1) or 32 (ed25519, RFC 8032, 5.1.5). */
export function publicKeyOf(curve: Curve, key: Uint8Array): Uint8Array {
  return curve === 'secp256k1' ? secp256k1.getPublicKey(key, true) : ed25519.getPublicKey(key)
}
