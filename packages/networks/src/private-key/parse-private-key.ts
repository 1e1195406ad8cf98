import { fromBase58, fromBase58Check } from '../codec/base58.ts'
import { fromHex } from '../codec/hex.ts'
import { isSameBytes } from '../codec/same-bytes.ts'
import type { Curve } from '../network.ts'
import { invalidRequest } from '../network-error.ts'
import { readStrkey } from '../stellar/strkey.ts'
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
export function parsePrivateKey(curve: Curve, text: string): Uint8Array {
  const trimmed = text.trim()
  const bytes =
    trimmed === '' || trimmed.length > lengthMax
      ? undefined
      : curve === 'secp256k1'
        ? secp256k1Bytes(trimmed)
        : ed25519Bytes(trimmed)
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

function secp256k1Bytes(text: string): Uint8Array | undefined {
  const hex = hexBytes(text)
  if (hex !== undefined) return hex
  if (text.length > 52) return undefined
  const read = fromBase58Check(text)
  if (read === undefined || (read.version !== 0x80 && read.version !== 0xef)) return undefined
  if (read.payload.length === 32)
    throw invalidRequest('This WIF is of an uncompressed key, whose addresses this wallet would not have.')
  return read.payload.length === 33 && read.payload[32] === 1 ? read.payload.subarray(0, 32) : undefined
}

function ed25519Bytes(text: string): Uint8Array | undefined {
  if (text.startsWith('ed25519-priv-')) return hexBytes(text.slice('ed25519-priv-'.length))
  if (text.startsWith('ed25519:')) return base58Bytes(text.slice('ed25519:'.length))
  if (text.startsWith('[')) return numberBytes(text)
  return hexBytes(text) ?? readStrkey('seed', text) ?? base58Bytes(text)
}

function hexBytes(text: string): Uint8Array | undefined {
  const bytes = fromHex(text.startsWith('0x') ? text.slice(2) : text, true)
  return bytes !== undefined && (bytes.length === 32 || bytes.length === 64) ? bytes : undefined
}

function base58Bytes(text: string): Uint8Array | undefined {
  return text.length > 90 ? undefined : fromBase58(text)
}

/** The file of Solana's command line: 64 numbers. */
function numberBytes(text: string): Uint8Array | undefined {
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch {
    return undefined
  }
  const isBytes =
    Array.isArray(values) &&
    values.length === 64 &&
    values.every((value) => Number.isInteger(value) && value >= 0 && value <= 255)
  return isBytes ? Uint8Array.from(values as number[]) : undefined
}
