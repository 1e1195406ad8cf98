import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '#sha2'
import type { Chain } from '../chain.ts'
import { fromBech32, toBech32 } from '../codec/bech32.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { invalidPayload } from '../network-error.ts'

/** What addresses of a chain start with: `cosmos` or `osmo`. */
export function addressPrefix({ addressName }: Chain): string {
  return addressName === 'osmosis' ? 'osmo' : 'cosmos'
}

/** The account of a compressed public key: bech32 of RIPEMD-160(SHA-256(key)). */
export function accountAddress(prefix: string, publicKey: Uint8Array): string {
  return toBech32(prefix, ripemd160(sha256(publicKey)))
}

/** The account of a module of the chain by its name (SHA-256, 20 bytes of it). */
export function moduleAddress(prefix: string, name: string): string {
  return toBech32(prefix, sha256(encodeUtf8(name)).subarray(0, 20))
}

/**
 * An account as it stands in a message; another prefix, length or spelling (chains read upper case as well) is
 * `invalid_payload`.
 */
export function checkedAccount(text: string, prefix: string): string {
  accountBytes(text, prefix)
  return text
}

/** A validator's address (`cosmosvaloper…`) as it stands in a message. */
export function checkedValidator(text: string, prefix: string): string {
  accountBytes(text, `${prefix}valoper`)
  return text
}

/** The account behind a validator's address. */
export function validatorAccount(text: string, prefix: string): string {
  return toBech32(prefix, accountBytes(text, `${prefix}valoper`))
}

function accountBytes(text: string, prefix: string): Uint8Array {
  const bytes = fromBech32(prefix, text)
  // Accounts have 20 bytes, contracts and some modules 32.
  if (bytes?.length !== 20 && bytes?.length !== 32)
    throw invalidPayload('An address of the transaction is malformed or of another chain.')
  return bytes
}

/** Whether a text is the account of a key on one of the chains, in either case. */
export function isCosmosAddress(text: string): boolean {
  const lower = text.toLowerCase()
  return ['cosmos', 'osmo'].some((prefix) => fromBech32(prefix, lower)?.length === 20)
}
