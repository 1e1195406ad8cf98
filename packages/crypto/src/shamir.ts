import { invert, multiply } from './gf256.ts'
import { wipe } from './wipe.ts'

const secretLength = 32
const shareLength = secretLength + 1

/** What was wrong with shares or indexes; never carries share bytes. */
export type ShareErrorCode = 'invalid_length' | 'invalid_index' | 'equal_index'

const messages: Record<ShareErrorCode, string> = {
  invalid_length: 'A secret has 32 bytes, a share 33.',
  invalid_index: 'A share index is a whole number from 1 to 255.',
  equal_index: 'Shares need different indexes.',
}

/** Thrown for shares that cannot be made or combined. */
export class ShareError extends Error {
  override name = 'ShareError'
  readonly code: ShareErrorCode

  constructor(code: ShareErrorCode) {
    super(messages[code])
    this.code = code
  }
}

/**
 * Splits 32 bytes into one 33-byte share per index (32 bytes of y, then x), any two of which give the secret back
 * while one alone reveals nothing about it. Shamir, threshold 2, over GF(2^8) modulo 0x11b.
 *
 * `random` must give that many uniform bytes, zeros included (filtering them would leak the secret); they are wiped
 * after use. Throws `ShareError`.
 */
export function splitSecret(
  secret: Uint8Array,
  indexes: readonly number[],
  random: (length: number) => Uint8Array,
): Uint8Array[] {
  if (secret.length !== secretLength || indexes.length < 2) throw new ShareError('invalid_length')
  for (const index of indexes) {
    if (!Number.isInteger(index) || index < 1 || index > 255) throw new ShareError('invalid_index')
  }
  if (new Set(indexes).size !== indexes.length) throw new ShareError('equal_index')
  const slopes = random(secretLength)
  if (slopes.length !== secretLength) throw new ShareError('invalid_length')
  const shares = indexes.map((index) => {
    const share = new Uint8Array(shareLength)
    for (let i = 0; i < secretLength; i++) share[i] = (secret[i] ?? 0) ^ multiply(slopes[i] ?? 0, index)
    share[secretLength] = index
    return share
  })
  wipe(slopes)
  return shares
}

/**
 * Rebuilds the secret of two shares into `out` (32 bytes) in time that does not depend on their y bytes.
 *
 * It cannot notice wrong or mixed shares: check the public key of the result before use. Throws `ShareError` on a
 * wrong length, x = 0 (such a share would choose the key) or equal x; `out` is untouched then.
 */
export function combineShares(a: Uint8Array, b: Uint8Array, out: Uint8Array): void {
  if (a.length !== shareLength || b.length !== shareLength || out.length !== secretLength) {
    throw new ShareError('invalid_length')
  }
  const xa = a[secretLength] ?? 0
  const xb = b[secretLength] ?? 0
  if (xa === 0 || xb === 0) throw new ShareError('invalid_index')
  if (xa === xb) throw new ShareError('equal_index')
  // Lagrange at 0, where minus is plus: f(0) = ya * xb / (xa + xb) + yb * xa / (xa + xb).
  const inverse = invert(xa ^ xb)
  const factorA = multiply(xb, inverse)
  const factorB = multiply(xa, inverse)
  for (let i = 0; i < secretLength; i++) out[i] = multiply(a[i] ?? 0, factorA) ^ multiply(b[i] ?? 0, factorB)
}
