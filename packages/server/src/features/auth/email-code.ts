import type { KeyObject } from 'node:crypto'
import { keyedHash } from '@symbolon/crypto/node'

/** What an emailed code lets its reader do; a code of one purpose is worth nothing for another. */
export type CodePurpose = 'login' | 'recovery'

/** Whom and what a code was made for: all of it is bound into the hash. */
export type CodeOwner = { organizationId: string; email: string; purpose: CodePurpose }

/** What is stored of a code: HMAC-SHA256 under the pepper, without which a million guesses would find it. */
export function hashCode(pepper: KeyObject, owner: CodeOwner, salt: Uint8Array, code: string): Uint8Array {
  const { organizationId, email, purpose } = owner
  const saltHex = Buffer.from(salt).toString('hex')
  return keyedHash(pepper, JSON.stringify(['email-code', organizationId, email, purpose, saltHex, code]))
}
