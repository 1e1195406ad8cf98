import { createPublicKey } from 'node:crypto'

/** A stored P-256 public key: coordinates in base64url, nothing else. */
export type EncryptionKey = { kty: 'EC'; crv: 'P-256'; x: string; y: string }

/**
 * Reads a JWK (RFC 7518 section 6.2) as a public key on P-256; `undefined` for anything else. A private key is refused rather
 * than stripped, so that an owner who sent it by mistake learns of it.
 */
export function readEncryptionKey(jwk: Readonly<Record<string, unknown>>): EncryptionKey | undefined {
  const { kty, crv, x, y, d } = jwk
  if (kty !== 'EC' || crv !== 'P-256' || d !== undefined) return undefined
  if (!isCoordinate(x) || !isCoordinate(y)) return undefined
  const key = { kty, crv, x, y } as const
  try {
    // Refuses a point off the curve.
    createPublicKey({ key, format: 'jwk' })
    return key
  } catch {
    return undefined
  }
}

/** The uncompressed point (SEC 1, 65 bytes) that HPKE takes. */
export const pointOf = ({ x, y }: EncryptionKey): Uint8Array =>
  Buffer.concat([Uint8Array.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])

const isCoordinate = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^[A-Za-z0-9_-]{43}$/.test(text) &&
  Buffer.from(text, 'base64url').toString('base64url') === text
