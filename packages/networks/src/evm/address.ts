import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromHex, toHex } from '../hex.ts'

const ascii = new TextEncoder()

/** The 20 address bytes of a public key: the end of keccak of its uncompressed point (Yellow Paper, 4.2.2). */
export function accountBytes(publicKey: Uint8Array): Uint8Array {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  return keccak_256(point.subarray(1)).subarray(12)
}

/** 20 address bytes with the mixed-case checksum of EIP-55. */
export function checksumAddress(bytes: Uint8Array): string {
  const lower = toHex(bytes)
  const hash = toHex(keccak_256(ascii.encode(lower)))
  let address = '0x'
  for (let index = 0; index < lower.length; index++) {
    const digit = lower.charAt(index)
    address += hash.charAt(index) >= '8' ? digit.toUpperCase() : digit
  }
  return address
}

/** The 20 bytes of an address in one case or with its EIP-55 checksum, or `undefined` for anything else. */
export function parseAddress(text: string): Uint8Array | undefined {
  if (text.length !== 42 || !text.startsWith('0x')) return undefined
  const bytes = fromHex(text.slice(2), true)
  if (!bytes) return undefined
  const digits = text.slice(2)
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return bytes
  return checksumAddress(bytes) === text ? bytes : undefined
}
