import { keccak256 } from '#keccak'
import { concat, join } from '../codec/concat.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { invalidPayload } from '../network-error.ts'
import { atomicEncoder } from './typed-data-atomic.ts'
import { arrayType, type StructTypes, typeDescriber } from './typed-data-types.ts'

/** An object of parsed JSON. */
export type JsonObject = Readonly<Record<string, unknown>>

const depthMax = 32
/** Values of all kinds, structs and arrays included. */
const nodesMax = 4_096
/** Runs of keccak's permutation, each over 136 bytes: they cost more than all the rest. */
const blocksMax = 2_048
const blockBytes = 136

type Encode = (value: unknown, depth: number) => Uint8Array

/** Encoders by type, made once each, and the work they have done together. */
type Hasher = {
  readonly types: StructTypes
  readonly encoders: Map<string, Encode>
  readonly describe: (name: string) => string
  nodes: number
  blocks: number
}

/**
 * hashStruct of EIP-712 over checked types. What is mistyped, nests deeper than 32 levels, has more than 4,096 values or takes more than
 * 2,048 blocks to hash, all calls of a returned function together, is `invalid_payload`.
 */
export function structHasher(types: StructTypes): (name: string, value: JsonObject) => Uint8Array {
  const hasher: Hasher = { types, encoders: new Map(), describe: typeDescriber(types), nodes: 0, blocks: 0 }
  return (name, value) => encoderOf(hasher, name)(value, 0)
}

function encoderOf(hasher: Hasher, type: string): Encode {
  const known = hasher.encoders.get(type)
  if (known) return known
  const encode = newEncoder(hasher, type)
  const counted: Encode = (value, depth) => {
    hasher.nodes++
    if (hasher.nodes > nodesMax) throw invalidPayload(`The typed data has more than ${nodesMax} values.`)
    return encode(value, depth)
  }
  hasher.encoders.set(type, counted)
  return counted
}

function newEncoder(hasher: Hasher, type: string): Encode {
  const array = arrayType(type)
  if (array) return arrayEncoder(hasher, array)
  if (hasher.types.has(type)) return structEncoder(hasher, type)
  const encode = atomicEncoder(type, (bytes) => keccak(hasher, bytes))
  if (!encode) throw invalidPayload('The typed data uses a type that it does not declare.')
  return encode
}

function structEncoder(hasher: Hasher, name: string): Encode {
  const typeHash = keccak(hasher, encodeUtf8(hasher.describe(name)))
  const fields = hasher.types.get(name) ?? []
  return (value, depth) => {
    checkDepth(depth)
    const members = membersOf(value, name)
    const words = fields.map((field) => {
      if (!Object.hasOwn(members, field.name))
        throw invalidPayload(`A ${name} of the typed data lacks the field ${field.name}.`)
      return encoderOf(hasher, field.type)(members[field.name], depth + 1)
    })
    if (Object.keys(members).length !== fields.length)
      throw invalidPayload(`A ${name} of the typed data has a field that its type does not declare.`)
    return keccak(hasher, concat(typeHash, ...words))
  }
}

function membersOf(value: unknown, name: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidPayload(`A ${name} of the typed data is not an object.`)
  }
  return value as JsonObject
}

function arrayEncoder(
  hasher: Hasher,
  { element, length }: NonNullable<ReturnType<typeof arrayType>>,
): Encode {
  return (value, depth) => {
    checkDepth(depth)
    if (!Array.isArray(value) || (length !== null && value.length !== length)) {
      throw invalidPayload('An array of the typed data is mistyped.')
    }
    const encode = encoderOf(hasher, element)
    return keccak(hasher, join(value.map((item) => encode(item, depth + 1))))
  }
}

function checkDepth(depth: number): void {
  if (depth > depthMax) throw invalidPayload('The typed data is nested too deeply.')
}

function keccak(hasher: Hasher, bytes: Uint8Array): Uint8Array {
  hasher.blocks += Math.floor(bytes.length / blockBytes) + 1
  if (hasher.blocks > blocksMax) throw invalidPayload('The typed data takes too long to hash.')
  return keccak256(bytes)
}
