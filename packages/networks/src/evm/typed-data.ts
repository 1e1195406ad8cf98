import { keccak256 } from '#keccak'
import { concat } from '../codec/concat.ts'
import { invalidPayload } from '../network-error.ts'
import { once } from '../once.ts'
import { type StructField, type StructTypes, structTypes } from './typed-data-types.ts'
import { type JsonObject, structHasher } from './typed-data-value.ts'

/** EIP-712 typed data whose shape has been checked; values are checked by `payload`. */
export type TypedData = {
  readonly types: StructTypes
  readonly primaryType: string
  readonly domain: JsonObject
  readonly message: JsonObject
  /** 0x1901 || domain separator || struct hash. Checks every value; made once. */
  payload(): Uint8Array
}

const prefix = Uint8Array.of(0x19, 0x01)
const members = ['types', 'primaryType', 'domain', 'message']
/** The domain's fields in the order of EIP-712; a domain has no others. */
const domainFields: readonly StructField[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/**
 * 0x1901 || domain separator || struct hash (EIP-712) of typed data as JSON text.
 * Missing, undeclared or mistyped values, unknown types and lone surrogates are `invalid_payload`.
 */
export function hashTypedDataPayload(text: string): Uint8Array {
  return parseTypedData(text).payload()
}

function payloadOf({ types, primaryType, domain, message }: Omit<TypedData, 'payload'>): Uint8Array {
  const hashStruct = structHasher(types)
  const separator = hashStruct('EIP712Domain', domain)
  if (primaryType === 'EIP712Domain') return concat(prefix, separator)
  return concat(prefix, separator, hashStruct(primaryType, message))
}

/** keccak of the payload: what is signed. */
export function hashTypedData(text: string): Uint8Array {
  return keccak256(hashTypedDataPayload(text))
}

/** Typed data from JSON text, its types checked; a domain type that is left out follows from the domain. */
export function parseTypedData(text: string): TypedData {
  const root = asObject(parseJson(text), 'The typed data')
  for (const name of Object.keys(root)) {
    if (!members.includes(name))
      throw invalidPayload('Typed data has `types`, `primaryType`, `domain` and `message` only.')
  }
  const domain = asObject(root['domain'], 'The domain')
  const message = asObject(root['message'], 'The message')
  const declared = asObject(root['types'], 'The list of types')
  const types = structTypes(
    Object.hasOwn(declared, 'EIP712Domain') ? declared : { ...declared, EIP712Domain: domainTypeOf(domain) },
  )
  checkDomainType(types.get('EIP712Domain') ?? [])
  const primaryType = root['primaryType']
  if (typeof primaryType !== 'string' || !types.has(primaryType)) {
    throw invalidPayload('`primaryType` is not one of `types`.')
  }
  if (primaryType === 'EIP712Domain' && Object.keys(message).length > 0) {
    throw invalidPayload('A bare domain has no message.')
  }
  const typed = { types, primaryType, domain, message }
  return { ...typed, payload: once(() => payloadOf(typed)) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidPayload('The typed data is not JSON.')
  }
}

function domainTypeOf(domain: JsonObject): StructField[] {
  return domainFields.filter(({ name }) => Object.hasOwn(domain, name))
}

function checkDomainType(fields: readonly StructField[]): void {
  for (const { name, type } of fields) {
    if (!domainFields.some((field) => field.name === name && field.type === type)) {
      throw invalidPayload('The domain has a field that EIP-712 does not know, or of another type.')
    }
  }
}

function asObject(value: unknown, what: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw invalidPayload(`${what} is not an object.`)
}
