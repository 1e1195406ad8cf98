import { keccak256 } from '#keccak'
import { fromHex, type Hex, toHex } from '../codec/hex.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { coordinates, secp256k1Point } from '../curves/secp256k1-point.ts'
import { invalidRequest } from '../network-error.ts'

/** The 20 address bytes of a public key: the end of keccak of its uncompressed point (Yellow Paper, 4.2.2). */
export function accountBytes(publicKey: Uint8Array): Uint8Array {
  const point = secp256k1Point(publicKey)
  if (!point) throw invalidRequest('The public key is not a point of secp256k1.')
  return keccak256(coordinates(point)).slice(12)
}

/**
 * The last checksums, which are functions of their addresses alone: payloads name the same tokens and people, and a hash costs more than
 * all the rest of a short transaction (`bench/notes/networks.md`).
 */
const checksummed = new Map<string, Hex>()
const checksumsMax = 4096

/** 20 address bytes with the mixed-case checksum of EIP-55. */
export function checksumAddress(bytes: Uint8Array): Hex {
  const lower = toHex(bytes)
  const known = checksummed.get(lower)
  if (known) return known
  if (checksummed.size === checksumsMax) checksummed.clear()
  const address = checksumOf(lower)
  checksummed.set(lower, address)
  return address
}

function checksumOf(lower: string): Hex {
  const hash = keccak256(encodeUtf8(lower))
  let text = ''
  for (let index = 0; index < lower.length; index++) {
    const digit = lower.charAt(index)
    const nibble = ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15
    text += nibble < 8 ? digit : digit.toUpperCase()
  }
  return `0x${text}`
}

/** False for an address in mixed case whose EIP-55 checksum is wrong, so that a digit may be. True for text that is not an address. */
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
