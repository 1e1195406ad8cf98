import { fromHex0x } from '../codec/hex.ts'
import { quantityToWord } from '../codec/quantity.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { invalidPayload } from '../network-error.ts'
import { parseAddress } from './address.ts'

/** The 32-byte word of one value (EIP-712, encodeData); a mistyped value is `invalid_payload`. */
export type AtomicEncoder = (value: unknown) => Uint8Array

const sized = /^(uint|int|bytes)([1-9][0-9]{0,2})$/
const decimal = /^(?:0|-?[1-9][0-9]{0,77})$/
const hexadecimal = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/

/** The encoder of an atomic type, or of a dynamic one, which is hashed by `keccak`; `undefined` for an unknown type. */
export function atomicEncoder(
  type: string,
  keccak: (bytes: Uint8Array) => Uint8Array,
): AtomicEncoder | undefined {
  switch (type) {
    case 'address':
      return encodeAddress
    case 'bool':
      return encodeBool
    case 'string':
      return (value) => keccak(textBytes(value))
    case 'bytes':
      return (value) => keccak(hexBytes(value))
  }
  const match = sized.exec(type)
  if (!match) return undefined
  const size = Number(match[2])
  if (match[1] === 'bytes') return size <= 32 ? (value) => encodeFixedBytes(value, size) : undefined
  if (size % 8 !== 0 || size > 256) return undefined
  return match[1] === 'uint' ? (value) => encodeUint(value, size) : (value) => encodeInt(value, size)
}

/** Whether a type is atomic or dynamic. */
export const isAtomicType = (type: string): boolean => atomicEncoder(type, (bytes) => bytes) !== undefined

/** The integer a JSON value stands for: a safe number, or canonical decimal or 0x digits. */
export function parseInteger(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0)) return BigInt(value)
  if (typeof value === 'string' && (decimal.test(value) || hexadecimal.test(value))) return BigInt(value)
  throw invalidPayload(
    'A number of the typed data is not whole or not in digits. Above 2^53, it must be a string.',
  )
}

function encodeUint(value: unknown, bits: number): Uint8Array {
  const integer = parseInteger(value)
  if (integer < 0n || integer >> BigInt(bits) !== 0n)
    throw invalidPayload(`A number of the typed data does not fit into uint${bits}.`)
  return quantityToWord(integer)
}

function encodeInt(value: unknown, bits: number): Uint8Array {
  const integer = parseInteger(value)
  if (BigInt.asIntN(bits, integer) !== integer)
    throw invalidPayload(`A number of the typed data does not fit into int${bits}.`)
  return quantityToWord(BigInt.asUintN(256, integer))
}

function encodeAddress(value: unknown): Uint8Array {
  const bytes = typeof value === 'string' ? parseAddress(value) : undefined
  if (!bytes) throw invalidPayload('An address of the typed data is malformed, or its checksum is wrong.')
  const word = new Uint8Array(32)
  word.set(bytes, 12)
  return word
}

function encodeBool(value: unknown): Uint8Array {
  if (typeof value !== 'boolean') throw invalidPayload('A boolean of the typed data is not true or false.')
  return quantityToWord(value ? 1n : 0n)
}

function textBytes(value: unknown): Uint8Array {
  if (typeof value !== 'string') throw invalidPayload('A value of the typed data must be a string.')
  return encodeUtf8(value)
}

function encodeFixedBytes(value: unknown, size: number): Uint8Array {
  const bytes = hexBytes(value)
  if (bytes.length !== size) throw invalidPayload(`A bytes${size} of the typed data has another length.`)
  const word = new Uint8Array(32)
  word.set(bytes)
  return word
}

function hexBytes(value: unknown): Uint8Array {
  const bytes = typeof value === 'string' ? fromHex0x(value, true) : undefined
  if (!bytes) throw invalidPayload('A byte string of the typed data is not 0x hex.')
  return bytes
}
