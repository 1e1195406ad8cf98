import { bytesToQuantity } from '../codec/quantity.ts'
import type { RlpItem } from '../codec/rlp.ts'
import { invalidPayload } from '../network-error.ts'

/** Largest value of 64 bits. */
export const uint64Max = 2n ** 64n - 1n

/** The items, if there are `count`; otherwise `invalid_payload`. */
export function exactly(items: readonly RlpItem[], count: number): readonly RlpItem[] {
  if (items.length !== count) throw invalidPayload(`The transaction must have ${count} fields.`)
  return items
}

/** The items of a list; a byte string or nothing is `invalid_payload`. */
export function rlpList(item: RlpItem | undefined): readonly RlpItem[] {
  if (item === undefined || item instanceof Uint8Array) throw invalidPayload('A list is missing.')
  return item
}

/** A byte string, of `length` bytes where that is given; anything else is `invalid_payload`. */
export function rlpBytes(item: RlpItem | undefined, length?: number): Uint8Array {
  if (!(item instanceof Uint8Array)) throw invalidPayload('A field of the transaction is a list.')
  if (length !== undefined && item.length !== length)
    throw invalidPayload(`A field of the transaction is not ${length} bytes long.`)
  return item
}

/** The number of an RLP item, at most `max`; a list or leading zeros are `invalid_payload`. */
export function rlpQuantity(item: RlpItem | undefined, max?: bigint): bigint {
  const bytes = rlpBytes(item)
  if (bytes.length > 32 || bytes[0] === 0)
    throw invalidPayload('A number of the transaction is not canonical.')
  const value = bytesToQuantity(bytes)
  if (max !== undefined && value > max) throw invalidPayload('A number of the transaction is out of range.')
  return value
}
