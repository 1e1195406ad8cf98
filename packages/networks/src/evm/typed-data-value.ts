import { keccak_256 } from '@noble/hashes/sha3.js'
import { concat } from '../codec/concat.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { invalidPayload } from '../network-error.ts'
import { atomicEncoder } from './typed-data-atomic.ts'
import { arrayType, encodeType, type StructField, type StructTypes } from './typed-data-types.ts'

/** An object of parsed JSON. */
export type JsonObject = Readonly<Record<string, unknown>>

const depthMax = 32
/** Bounds the work of hostile types whose descriptions repeat each other. */
const typeTextMax = 1 << 20
/** hashStruct of EIP-712 over checked types; type hashes are made once per returned function. */
export function structHasher(types: StructTypes): (name: string, value: JsonObject) => Uint8Array {
  const typeHashes = new Map<string, Uint8Array>()
  let typeTextLength = 0

  function typeHash(name: string): Uint8Array {
    const known = typeHashes.get(name)
    if (known) return known
    const text = encodeType(name, types)
    typeTextLength += text.length
    if (typeTextLength > typeTextMax) throw invalidPayload('The types of the typed data are too large.')
    const hash = keccak_256(encodeUtf8(text))
    typeHashes.set(name, hash)
    return hash
  }

  function hashStruct(
    name: string,
    fields: readonly StructField[],
    value: unknown,
    depth: number,
  ): Uint8Array {
    if (depth > depthMax) throw invalidPayload('The typed data is nested too deeply.')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw invalidPayload('A struct of the typed data is not an object.')
    }
    const members = value as JsonObject
    if (Object.keys(members).length !== fields.length) {
      throw invalidPayload('A struct of the typed data has fields that are missing or not declared.')
    }
    const words = fields.map((field) => {
      if (!Object.hasOwn(members, field.name)) throw invalidPayload('A field of the typed data is missing.')
      return encodeField(field.type, members[field.name], depth)
    })
    return keccak_256(concat(typeHash(name), ...words))
  }

  function encodeField(type: string, value: unknown, depth: number): Uint8Array {
    const array = arrayType(type)
    if (array) return hashArray(array, value, depth + 1)
    const fields = types.get(type)
    if (fields) return hashStruct(type, fields, value, depth + 1)
    const encode = atomicEncoder(type)
    if (!encode) throw invalidPayload('The typed data refers to an unknown type.')
    return encode(value)
  }

  function hashArray(
    array: { element: string; length: number | null },
    value: unknown,
    depth: number,
  ): Uint8Array {
    if (depth > depthMax) throw invalidPayload('The typed data is nested too deeply.')
    if (!Array.isArray(value) || (array.length !== null && value.length !== array.length)) {
      throw invalidPayload('An array of the typed data is mistyped.')
    }
    return keccak_256(concat(...value.map((element) => encodeField(array.element, element, depth))))
  }

  return (name, value) => hashStruct(name, types.get(name) ?? [], value, 0)
}
