import type { KeyObject } from 'node:crypto'
import { keyedHash } from '@symbolon/crypto/node'

/**
 * What is stored of a recovery code: HMAC-SHA256 under the pepper, bound to its process. A login code has another shape of
 * input, so neither ever stands for the other.
 */
export function hashRecoveryCode(
  pepper: KeyObject,
  processId: string,
  salt: Uint8Array,
  code: string,
): Uint8Array {
  return keyedHash(
    pepper,
    JSON.stringify(['recovery-code', processId, Buffer.from(salt).toString('hex'), code]),
  )
}
