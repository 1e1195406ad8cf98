import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromHex } from '../bytes.ts'

// SEC 2, 2.4.1: the curve secp256k1.
const p = 2n ** 256n - 2n ** 32n - 977n
const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const generator: Point = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
]

/** Affine coordinates; null is the point at infinity. */
type Point = readonly [x: bigint, y: bigint] | null

/**
 * The address, in lower case, whose key signed a message with EIP-191 (SEC 1, 4.1.6); undefined for what is no signature. Its time may
 * depend on its input, all of which is public.
 */
export function recoverAddress(message: Uint8Array, signature: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined
  const [r, s] = [BigInt(signature.slice(0, 66)), BigInt(`0x${signature.slice(66, 130)}`)]
  const v = Number.parseInt(signature.slice(130), 16)
  const parity = v >= 27 ? v - 27 : v
  if (parity > 1 || r === 0n || s === 0n || r >= n || s >= n) return undefined
  const y = power(r ** 3n + 7n, (p + 1n) / 4n)
  if (modulo(y ** 2n - r ** 3n - 7n, p) !== 0n) return undefined
  const point: Point = [r, y % 2n === BigInt(parity) ? y : p - y]
  const byR = inverse(r, n)
  const digest = BigInt(hex(keccak_256(prefixed(message))))
  const key = sum(times(point, modulo(s * byR, n)), times(generator, modulo(-digest * byR, n)))
  if (key === null) return undefined
  const bytes = fromHex(`0x${key.map((coordinate) => coordinate.toString(16).padStart(64, '0')).join('')}`)
  return hex(keccak_256(bytes).subarray(12))
}

function prefixed(message: Uint8Array): Uint8Array {
  const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${message.length}`)
  const all = new Uint8Array(prefix.length + message.length)
  all.set(prefix)
  all.set(message, prefix.length)
  return all
}

const hex = (bytes: Uint8Array): string =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let factor = modulo(base, p), left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * factor) % p
    factor = (factor * factor) % p
  }
  return result
}

/** By the extended Euclidean algorithm. */
function inverse(value: bigint, by: bigint): bigint {
  let [a, b, x, y] = [modulo(value, by), by, 1n, 0n]
  while (a > 1n) {
    const quotient = b / a
    ;[a, b, x, y] = [b - quotient * a, a, y - quotient * x, x]
    if (a === 0n) break
  }
  return modulo(x, by)
}

function sum(one: Point, other: Point): Point {
  if (one === null) return other
  if (other === null) return one
  const [[x1, y1], [x2, y2]] = [one, other]
  if (x1 === x2 && modulo(y1 + y2, p) === 0n) return null
  const slope = x1 === x2 ? 3n * x1 ** 2n * inverse(2n * y1, p) : (y2 - y1) * inverse(x2 - x1, p)
  const x = modulo(slope ** 2n - x1 - x2, p)
  return [x, modulo(slope * (x1 - x) - y1, p)]
}

function times(point: Point, scalar: bigint): Point {
  let result: Point = null
  for (let factor = point, left = scalar; left > 0n; left >>= 1n) {
    if (left & 1n) result = sum(result, factor)
    factor = sum(factor, factor)
  }
  return result
}
