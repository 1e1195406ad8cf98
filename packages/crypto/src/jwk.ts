import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64Url } from './base64.ts'
import { canonicalJson } from './canonical-json.ts'

/** A public key of RFC 7517, of the curves that the enclave has keys on. */
export type PublicJwk = {
  readonly kty: 'OKP' | 'EC'
  readonly crv: 'X25519' | 'Ed25519' | 'P-256'
  readonly x: string
  readonly y?: string | undefined
}

/** The thumbprint of a key (RFC 7638, SHA-256, base64url): its id in attestations and receipts. Other members count for nothing. */
export function jwkThumbprint({ kty, crv, x, y }: PublicJwk): string {
  // The RFC's text is the canonical one: required members only, in lexicographic order.
  return toBase64Url(
    sha256(new TextEncoder().encode(canonicalJson(kty === 'EC' ? { crv, kty, x, y } : { crv, kty, x }))),
  )
}
