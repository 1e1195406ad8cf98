import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { base64UrlBytes } from '../../base64.ts'
import { jwkThumbprint, type PublicJwk } from '../../jwk.ts'

/** One operator's signature: the RFC 7638 thumbprint of the key, and ES256 (r ‖ s, low s, base64url). */
export type OperatorSignature = { readonly kid: string; readonly signature: string }

// FIPS 186-5: half the order of P-256. Of the two forms of a signature only the one with the lower s counts, so that nobody else can make a second.
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const scalarBytes = 32

/** Signs a text by an operator's private key on P-256. */
export function signAsOperator(text: Uint8Array, signer: KeyObject): OperatorSignature {
  const jwk = createPublicKey(signer).export({ format: 'jwk' }) as PublicJwk
  const signature = sign('sha256', text, { key: signer, dsaEncoding: 'ieee-p1363' })
  return { kid: jwkThumbprint(jwk), signature: withLowS(signature).toString('base64url') }
}

/** The order in which signatures stand beside a text. */
export const byKid = (a: OperatorSignature, b: OperatorSignature): number => (a.kid < b.kid ? -1 : 1)

/** Whether the holder of this key made this signature (base64url) of this text, in its one form. */
export function isOperatorSignature(
  text: Uint8Array,
  signature: string,
  { kty, crv, x, y = '' }: PublicJwk,
): boolean {
  const bytes = base64UrlBytes(signature)
  if (bytes === undefined || scalarOf(bytes) > order / 2n) return false
  const key = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' })
  return verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, bytes)
}

function withLowS(signature: Buffer): Buffer {
  const s = scalarOf(signature)
  if (s <= order / 2n) return signature
  const hex = (order - s).toString(16).padStart(2 * scalarBytes, '0')
  return Buffer.concat([signature.subarray(0, scalarBytes), Buffer.from(hex, 'hex')])
}

const scalarOf = (signature: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(signature.subarray(scalarBytes)).toString('hex')}`)
