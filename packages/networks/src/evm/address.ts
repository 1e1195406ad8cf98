import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromHex, type Hex, toHex } from '../codec/hex.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { coordinates, secp256k1Point } from '../curves/secp256k1-point.ts'
import { invalidRequest } from '../network-error.ts'
import { rememberLast } from '../remember-last.ts'

/** The 20 address bytes of a public key: the end of keccak of its uncompressed point (Yellow Paper, 4.2.2). */
export function accountBytes(publicKey: Uint8Array): Uint8Array {
  return lastAccount(publicKey).slice()
}

const lastAccount = rememberLast((publicKey: Uint8Array) => {
  const point = secp256k1Point(publicKey)
  if (!point) throw invalidRequest('The public key is not a point of secp256k1.')
  return keccak_256(coordinates(point)).subarray(12)
})

/** The last checksums: a payload's addresses are asked for several times, and payloads name the same tokens and people. */
const checksummed = new Map<string, Hex>()

/** 20 address bytes with the mixed-case checksum of EIP-55. */
export function checksumAddress(bytes: Uint8Array): Hex {
  const lower = toHex(bytes)
  const known = checksummed.get(lower)
  if (known) return known
  const hash = toHex(keccak_256(encodeUtf8(lower)))
  const digits = lower.replace(/./g, (digit, at) => (hash.charAt(at) < '8' ? digit : digit.toUpperCase()))
  if (checksummed.size > 4095) checksummed.clear()
  checksummed.set(lower, `0x${digits}`)
  return `0x${digits}`
}

/** False for an address in mixed case whose EIP-55 checksum is wrong, so that a digit may be. What is no address is not judged. */
export const isSoundAddress = (text: string): boolean =>
  !/^0x[0-9a-fA-F]{40}$/.test(text) || parseAddress(text) !== undefined

/** The 20 bytes of an address in one case or with its EIP-55 checksum, or `undefined` for anything else. */
export function parseAddress(text: string): Uint8Array | undefined {
  if (text.length !== 42 || !text.startsWith('0x')) return undefined
  const bytes = fromHex(text.slice(2), true)
  if (!bytes) return undefined
  const digits = text.slice(2)
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return bytes
  return checksumAddress(bytes) === text ? bytes : undefined
}
