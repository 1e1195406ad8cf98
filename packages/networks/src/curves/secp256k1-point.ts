import { concat } from '../codec/concat.ts'
import { bytesToQuantity, quantityToWord } from '../codec/quantity.ts'
import { modularPower } from './modular-power.ts'

/** The prime of the field of secp256k1 (SEC 2, 2.4.1). */
export const fieldPrime = 2n ** 256n - 2n ** 32n - 977n

/** A point of secp256k1 that is not infinity, its coordinates below the prime. */
export type Secp256k1Point = { readonly x: bigint; readonly y: bigint }

/** The point of 33 compressed or 65 uncompressed bytes (SEC 1, 2.3.4), or `undefined` for what is none of the curve. */
export function secp256k1Point(bytes: Uint8Array): Secp256k1Point | undefined {
  const [form] = bytes
  const isCompressed = bytes.length === 33 && (form === 2 || form === 3)
  if (!isCompressed && !(bytes.length === 65 && form === 4)) return undefined
  const x = bytesToQuantity(bytes.subarray(1, 33))
  if (x >= fieldPrime) return undefined
  const square = (x ** 3n + 7n) % fieldPrime
  // The prime is 3 modulo 4: this power is a root, if there is one.
  const root = isCompressed ? modularPower(square, (fieldPrime + 1n) / 4n, fieldPrime) : undefined
  const y = root === undefined ? bytesToQuantity(bytes.subarray(33)) : withParity(root, form === 3)
  return y < fieldPrime && (y * y) % fieldPrime === square ? { x, y } : undefined
}

/** The 33 bytes of a point (SEC 1, 2.3.3). */
export function compressedBytes({ x, y }: Secp256k1Point): Uint8Array {
  return concat(Uint8Array.of(y & 1n ? 3 : 2), quantityToWord(x))
}

/** Both coordinates of a point, 64 bytes: its uncompressed form without the first byte. */
export function coordinates({ x, y }: Secp256k1Point): Uint8Array {
  return concat(quantityToWord(x), quantityToWord(y))
}

function withParity(y: bigint, isOdd: boolean): bigint {
  return (y & 1n) === (isOdd ? 1n : 0n) ? y : fieldPrime - y
}
