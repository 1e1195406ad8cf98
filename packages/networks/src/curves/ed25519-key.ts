import { bytesToQuantity } from '../quantity.ts'
import { modularPower } from './modular-power.ts'

/** The prime and d of edwards25519 (RFC 8032, 5.1). */
const p = 2n ** 255n - 19n
const d = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n

/** Whether 32 bytes are the canonical encoding (RFC 8032, 5.1.3) of a point that is not of small order. */
export function isEd25519Key(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false
  const y = bytesToQuantity(bytes.toReversed()) & (2n ** 255n - 1n)
  const square = y * y
  // x² = u/v: it has a root where u·v is a square. Points of order 1 or 2 have x = 0, of order 4 y = 0, of order 8 x² = -y².
  const u = (square - 1n) % p
  const v = (d * square + 1n) % p
  const isSmallOrder = (u * y * (u + square * v)) % p === 0n
  return y < p && !isSmallOrder && modularPower((u * v) % p, (p - 1n) / 2n, p) === 1n
}
