import type { Hex } from '../codec/hex.ts'
import { uint256Max } from '../codec/quantity.ts'
import { invalidPayload, invalidRequest } from '../network-error.ts'

/** An encoded argument in hex digits: one word in the head, or a tail that the head points at. */
export type AbiValue = { readonly digits: string; readonly isDynamic: boolean }

const addressForm = /^0x[0-9a-fA-F]{40}$/
const bytesForm = /^0x(?:[0-9a-fA-F]{2})*$/

/** An unsigned integer of at most `bits` bits; a negative or larger one is `invalid_payload`. */
export function abiUint(value: bigint, bits = 256): AbiValue {
  return { digits: wordDigits(value, bits), isDynamic: false }
}

/** An address; anything but 20 bytes of hex is `invalid_request`. The API checks its checksum. */
export function abiAddress(address: Hex): AbiValue {
  return { digits: addressDigits(address).padStart(64, '0'), isDynamic: false }
}

/** A byte string: its length, then its bytes, padded with zeros to whole words. */
export function abiBytes(bytes: Hex): AbiValue {
  const digits = bytesDigits(bytes)
  const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
  return { digits: wordDigits(BigInt(digits.length / 2)) + padded, isDynamic: true }
}

/** An array of any length: its length, then its elements as arguments. */
export function abiArray(elements: readonly AbiValue[]): AbiValue {
  return { digits: wordDigits(BigInt(elements.length)) + abiDigits(elements), isDynamic: true }
}

/** The call of a method (its selector's 8 digits) with arguments, as the contract ABI specification has it. */
export function abiCall(selector: string, ...values: readonly AbiValue[]): Hex {
  return `0x${selector}${abiDigits(values)}`
}

/** The 64 digits of one word. */
export function wordDigits(value: bigint, bits = 256): string {
  if (value < 0n || value > uint256Max >> BigInt(256 - bits)) {
    throw invalidPayload(`A number does not fit into ${bits} bits.`)
  }
  return value.toString(16).padStart(64, '0')
}

/** The 40 digits of an address. */
export function addressDigits(address: Hex): string {
  if (!addressForm.test(address)) throw invalidRequest('An address is malformed.')
  return address.slice(2).toLowerCase()
}

/** The digits of whole bytes in lower case. */
export function bytesDigits(bytes: Hex): string {
  if (!bytesForm.test(bytes)) throw invalidRequest('A field is not 0x hex.')
  return bytes.slice(2).toLowerCase()
}

/** Heads, then tails in order without gaps. */
function abiDigits(values: readonly AbiValue[]): string {
  let head = ''
  let tail = ''
  for (const { digits, isDynamic } of values) {
    if (isDynamic) {
      head += wordDigits(BigInt(32 * values.length + tail.length / 2))
      tail += digits
    } else {
      head += digits
    }
  }
  return head + tail
}
