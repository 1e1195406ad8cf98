import type { KeyObject } from 'node:crypto'
import { keyedHash } from '@symbolon/crypto/node'
import type { Random } from '../../ports/random.ts'

/** What a mailed code lets its reader do; a code of one purpose is worth nothing for another. */
export type CodePurpose = 'login' | 'recovery'

/** Whom and what a code was made for: all of it is bound into the hash. */
export type CodeOwner = { organizationId: string; email: string; purpose: CodePurpose }

const codes = 1_000_000
// The largest multiple of 10^6 in 32 bits: numbers above it would make the low codes likelier.
const numbersEnd = Math.floor(2 ** 32 / codes) * codes

/** Draws a code of six digits, every one equally likely. */
export function drawCode(random: Random): string {
  for (;;) {
    const bytes = random(4)
    const number = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
    if (number < numbersEnd) return String(number % codes).padStart(6, '0')
  }
}

/** What is stored of a code: HMAC-SHA256 under the pepper, without which a million guesses would find it. */
export function hashCode(pepper: KeyObject, owner: CodeOwner, salt: Uint8Array, code: string): Uint8Array {
  const { organizationId, email, purpose } = owner
  const saltHex = Buffer.from(salt).toString('hex')
  return keyedHash(pepper, JSON.stringify(['email-code', organizationId, email, purpose, saltHex, code]))
}
