import { fromHex0x } from '../codec/hex.ts'
import { invalidPayload } from '../network-error.ts'
import { checksumAddress, parseAddress } from './address.ts'
import { parseInteger } from './typed-data-atomic.ts'
import type { JsonObject } from './typed-data-value.ts'

/** A member of a message that its type says is an address, EIP-55; anything else is `invalid_payload`. */
export function addressIn(message: JsonObject, name: string): string {
  const value = message[name]
  const bytes = typeof value === 'string' ? parseAddress(value) : undefined
  if (!bytes) throw invalidPayload('An address of the typed data is malformed.')
  return checksumAddress(bytes)
}

/** A member that its type says is a number. */
export function integerIn(message: JsonObject, name: string): bigint {
  return parseInteger(message[name])
}

/** A member that its type says is a byte string; anything else is `invalid_payload`. */
export function bytesIn(message: JsonObject, name: string): Uint8Array {
  const value = message[name]
  const bytes = typeof value === 'string' ? fromHex0x(value, true) : undefined
  if (!bytes) throw invalidPayload('A byte string of the typed data is malformed.')
  return bytes
}

/** A member that its type says is a struct or a list of them, lists within lists too, as one flat list. */
export function objectsIn(message: JsonObject, name: string): readonly JsonObject[] {
  return [message[name]].flat(32) as readonly JsonObject[]
}
