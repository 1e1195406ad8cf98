import type { Curve } from '../chain.ts'
import { fromHex } from '../codec/hex.ts'
import { isSameBytes } from '../codec/same-bytes.ts'
import { invalidRequest } from '../network-error.ts'
import type { Networks } from '../network-set.ts'
import { isPrivateKey, publicKeyOf } from './secret-key.ts'

/** Longer than every form of a key, a JSON array of 64 numbers with line breaks included. */
const lengthMax = 1_024

/**
 * The 32 bytes of a private key in any form that `formatPrivateKey` writes, and in those that other wallets export: hex
 * with or without 0x, WIF of the test network, base58 or hex of a 32-byte seed alone, the JSON array of Solana's tools.
 * White space around it is ignored. A public key beside the seed must be the seed's own.
 *
 * `NetworkError('invalid_request')`, which never holds any of the text. A bare 32-byte text says nothing of itself: an
 * address of Solana, Near or Aptos reads as a key as well, so show the address that the key has before it is used.
 */
export function parsePrivateKey(networks: Networks, curve: Curve, text: string): Uint8Array {
  const trimmed = text.trim()
  const bytes = trimmed === '' || trimmed.length > lengthMax ? undefined : bytesOf(networks, curve, trimmed)
  if (bytes === undefined || bytes.length === 0) throw notAKey()
  const key = bytes.slice(0, 32)
  const isWhole = bytes.length === 32 || (curve === 'ed25519' && bytes.length === 64)
  const isKey = isWhole && isPrivateKey(curve, key)
  const isOwn = isKey && (bytes.length === 32 || isSameBytes(publicKeyOf(curve, key), bytes.subarray(32)))
  bytes.fill(0)
  if (isOwn) return key
  key.fill(0)
  throw isKey ? invalidRequest('The public key beside the private key is of another one.') : notAKey()
}

function notAKey() {
  return invalidRequest('This is not a private key of this curve, or it is mistyped.')
}

function hexBytes(text: string): Uint8Array | undefined {
  const bytes = fromHex(text.startsWith('0x') ? text.slice(2) : text, true)
  return bytes !== undefined && (bytes.length === 32 || bytes.length === 64) ? bytes : undefined
}

/** Hex is every network's; a form with a prefix before those without. */
function bytesOf(networks: Networks, curve: Curve, text: string): Uint8Array | undefined {
  const hex = hexBytes(text)
  if (hex !== undefined) return hex
  for (const network of networks.list) {
    const bytes = network.curve === curve ? network.privateKey.parse?.(text) : undefined
    if (bytes?.length === 32 || bytes?.length === 64) return bytes
    // A text of one network may read as some bytes of another's form: a seed in base32 is base58 as well.
    bytes?.fill(0)
  }
  return undefined
}
