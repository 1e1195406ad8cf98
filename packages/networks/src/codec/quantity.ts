import { fromHex, toHex } from './hex.ts'

/** Largest value of 256 bits. */
export const uint256Max = 2n ** 256n - 1n

/** Up to here, a bigint is a number. */
const smallMax = BigInt(Number.MAX_SAFE_INTEGER)

/** Big-endian bytes without leading zeros; 0 is empty (the integer of the Ethereum Yellow Paper, appendix B). */
export function quantityToBytes(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0)
  const hex = value.toString(16)
  return bigEndian(hex, (hex.length + 1) >> 1)
}

/** The 32-byte big-endian word of 0 <= value < 2^256. */
export function quantityToWord(value: bigint): Uint8Array {
  if (value > smallMax) return bigEndian(value.toString(16), 32)
  const word = new Uint8Array(32)
  let left = Number(value)
  for (let index = 31; left > 0; index--) {
    word[index] = left
    left = Math.floor(left / 0x100)
  }
  return word
}

/** The integer of big-endian bytes; empty is 0. */
export function bytesToQuantity(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`)
}

function bigEndian(hex: string, length: number): Uint8Array {
  return fromHex(hex.padStart(2 * length, '0')) ?? new Uint8Array(length)
}
