import { combineShares, equalBytes, ShareError, wipe } from '@symbolon/crypto'
import { isPrivateKey, publicKeyOf } from '@symbolon/networks/private-key'
import type { Curve } from '../protocol/messages.ts'

/**
 * The key of two shares, if it is the one of that public key (compressed), otherwise `undefined`: shares of two
 * polynomials, wallets or users, of equal or impossible x, or of a wrong length give no key. Whoever takes it wipes it.
 */
export function rebuildKey(
  curve: Curve,
  publicKey: Uint8Array,
  one: Uint8Array,
  other: Uint8Array,
): Uint8Array | undefined {
  const key = new Uint8Array(32)
  try {
    combineShares(one, other, key)
    if (isPrivateKey(curve, key) && equalBytes(publicKeyOf(curve, key), publicKey)) return key
  } catch (error) {
    if (!(error instanceof ShareError)) throw error
  }
  wipe(key)
  return undefined
}
