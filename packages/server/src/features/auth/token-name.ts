import { hash } from 'node:crypto'
import type { Jwt } from './jwt.ts'

/** The name of the token of an issuer with this `jti`. */
export const tokenNameOf = ({ iss, jti }: { iss: string; jti: string }): string => hashName(['jti', iss, jti])

/**
 * The name of a token for revocation, as hex of a SHA-256: its issuer and `jti`; without one its issuer, subject and `iat`;
 * else its content. The signature never counts: an ECDSA signature has a second valid form, and who holds the token can
 * make it.
 */
export function tokenName({ claims, signed }: Jwt): string {
  const { iss, jti, sub, iat } = claims
  if (typeof jti === 'string' && jti !== '') return hashName(['jti', iss, jti])
  if (typeof sub === 'string' && typeof iat === 'number') return hashName(['iat', iss, sub, iat])
  return hashName(['token', signed])
}

const hashName = (name: readonly unknown[]): string => hash('sha256', JSON.stringify(name), 'hex')
