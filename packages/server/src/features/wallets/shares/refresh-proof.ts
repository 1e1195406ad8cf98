import { createPublicKey, verify } from 'node:crypto'
import type { Curve } from '@symbolon/networks'

/** Half the order of secp256k1 (SEC 2): an s above it is the other half of a pair that both verify (BIP-146). */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

// SubjectPublicKeyInfo up to the key's bytes: ed25519 (RFC 8410), secp256k1 compressed (RFC 5480).
const prefixes = {
  ed25519: '302a300506032b6570032100',
  secp256k1: '3036301006072a8648ce3d020106052b8104000a032200',
} as const

/**
 * Whether the wallet's key has signed the statement of a refresh: secp256k1 by ECDSA r‖s with low s over its SHA-256, ed25519
 * over itself; 64 bytes. `publicKey` as it is stored.
 */
export function isRefreshProof(
  curve: Curve,
  publicKey: Uint8Array,
  statement: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signature.length !== 64) return false
  const der = Buffer.concat([Buffer.from(prefixes[curve], 'hex'), publicKey])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  if (curve === 'ed25519') return verify(null, statement, key, signature)
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`)
  return s <= halfOrder && verify('sha256', statement, { key, dsaEncoding: 'ieee-p1363' }, signature)
}
