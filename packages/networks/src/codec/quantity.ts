import { toHex } from './hex.ts'

/** Largest value of 256 bits. */
export const uint256Max = 2n ** 256n - 1n

/** Big-endian bytes without leading zeros; 0 is empty (the integer of the Ethereum Yellow Paper, appendix B). */
export function quantityToBytes(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0)
  const hex = value.toString(16)
  return bigEndian(hex, (hex.length + 1) >> 1)
}

/** The 32-byte big-endian word of 0 <= value < 2^256. */
export function quantityToWord(value: bigint): Uint8Array {
  return bigEndian(value.toString(16), 32)
}

/** The integer of big-endian bytes; empty is 0. */
export function bytesToQuantity(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`)
}

function bigEndian(hex: string, length: number): Uint8Array {
  const padded = hex.padStart(2 * length, '0')
  const bytes = new Uint8Array(length)
  for (let index = 0; index < length; index++) {
    bytes[index] = Number.parseInt(padded.slice(2 * index, 2 * index + 2), 16)
  }
  return bytes
}
