import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Curve } from './network.ts'
import { NetworkError } from './network-error.ts'

/**
 * The stored form of a public key: 33 compressed bytes of secp256k1 (from 33 or 65, SEC 1), 32 of ed25519.
 * A point off the curve, of small order or not canonically encoded is a `NetworkError('invalid_request')`.
 */
export function compressPublicKey(curve: Curve, publicKey: Uint8Array): Uint8Array {
  try {
    if (curve === 'secp256k1') return secp256k1.Point.fromBytes(publicKey).toBytes(true)
    const point = ed25519.Point.fromBytes(publicKey)
    if (!point.isSmallOrder()) return point.toBytes()
  } catch {
    // noble's own errors name internals; all of them mean the same to a caller.
  }
  throw new NetworkError('invalid_request', `The public key is not a point of ${curve}.`)
}
