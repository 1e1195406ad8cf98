import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { SigningJwk } from '@symbolon/api'
import { deriveKey } from '@symbolon/crypto/node'

/** The key that the platform vouches with towards everybody; its public half is in the JWKS. */
export type PlatformKey = {
  jwk: SigningJwk
  /** The Ed25519 signature (RFC 8032), 64 bytes. */
  sign(message: Uint8Array): Uint8Array
}

// RFC 8410: a PKCS #8 Ed25519 private key is this, then the 32-byte seed.
const pkcs8Start = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The Ed25519 key of an installation, derived from a master secret of its secrets file: the same in every process and
 * after every restart. Its `kid` is the RFC 7638 thumbprint.
 */
export function platformKey(master: KeyObject): PlatformKey {
  const pkcs8 = Buffer.concat([pkcs8Start, deriveKey(master, 'symbolon/v1/platform-signature', 32)])
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  pkcs8.fill(0)
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
  return {
    jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' },
    sign: (message) => sign(null, message, privateKey),
  }
}
