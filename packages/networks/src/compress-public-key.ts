import type { Curve } from './chain.ts'
import { isEd25519Key } from './curves/ed25519-key.ts'
import { compressedBytes, secp256k1Point } from './curves/secp256k1-point.ts'
import { NetworkError } from './network-error.ts'

/**
 * The stored form of a public key: 33 compressed bytes of secp256k1 (from 33 or 65, SEC 1), 32 of ed25519.
 * A point off the curve, of small order or not canonically encoded is a `NetworkError('invalid_request')`.
 */
export function compressPublicKey(curve: Curve, publicKey: Uint8Array): Uint8Array {
  if (curve === 'secp256k1') {
    const point = secp256k1Point(publicKey)
    if (point) return compressedBytes(point)
  } else if (isEd25519Key(publicKey)) return new Uint8Array(publicKey)
  throw new NetworkError('invalid_request', `The public key is not a point of ${curve}.`)
}
