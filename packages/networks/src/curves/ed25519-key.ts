import { bytesToQuantity } from '../codec/quantity.ts'
import { modularPower } from './modular-power.ts'

/** The prime and d of edwards25519 (RFC 8032, 5.1). */
const p = 2n ** 255n - 19n
const d = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n

/**
 * Whether 32 bytes are a point in the reading that Solana has of them (curve25519-dalek's `decompress`): a y that is not reduced
 * and a sign of zero pass too.
 */
export function isEd25519Point(bytes: Uint8Array): boolean {
  const { u, v } = fractionOf(bytes)
  return modularPower((u * v) % p, (p - 1n) / 2n, p) !== p - 1n
}

/** Whether 32 bytes are the canonical encoding (RFC 8032, 5.1.3) of a point that is not of small order. */
export function isEd25519Key(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false
  const { y, square, u, v } = fractionOf(bytes)
  // Points of order 1 or 2 have x = 0, of order 4 y = 0, of order 8 x² = -y².
  const isSmallOrder = (u * y * (u + square * v)) % p === 0n
  return y < p && !isSmallOrder && modularPower((u * v) % p, (p - 1n) / 2n, p) === 1n
}

/** y, its square, and u and v of x² = u/v, which has a root where u·v is a square. */
function fractionOf(bytes: Uint8Array): Record<'y' | 'square' | 'u' | 'v', bigint> {
  const y = bytesToQuantity(bytes.toReversed()) & (2n ** 255n - 1n)
  const square = y * y
  return { y, square, u: (square - 1n) % p, v: (d * square + 1n) % p }
}
