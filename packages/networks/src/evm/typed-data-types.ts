import { invalidPayload } from '../network-error.ts'
import { isAtomicType } from './typed-data-atomic.ts'

/** One member of a struct type. */
export type StructField = { readonly name: string; readonly type: string }

/** Such a member with the type of the innermost elements where it is an array, otherwise its type again. */
export type ReadField = StructField & { readonly base: string }

/** Struct types by name, every referenced type known. */
export type StructTypes = ReadonlyMap<string, readonly ReadField[]>

const memberName = /^[A-Za-z_$][A-Za-z0-9_$]*$/
/** Hyperliquid's types have a colon. A parenthesis, comma or space would let two types encode alike. */
const typeName = /^[A-Za-z_$][A-Za-z0-9_$:]*$/
/** Types that people write for their full names. EIP-712 knows no aliases, so the full name is hashed, as ethers does. */
const alias = /^(u?int)(?=\[|$)/
const typesMax = 256
const namesMax = 128

/** Checked struct types from the `types` member of typed data; anything malformed is `invalid_payload`. */
export function structTypes(declared: Readonly<Record<string, unknown>>): StructTypes {
  const names = Object.keys(declared)
  if (names.length > typesMax) throw invalidPayload('The typed data declares too many types.')
  const types = new Map(names.map((name) => [name, structFields(name, declared[name])]))
  for (const fields of types.values()) {
    for (const { base } of fields) {
      if (!types.has(base) && !isAtomicType(base))
        throw invalidPayload(`The typed data uses a type that it does not declare${named(base)}.`)
    }
  }
  return types
}

/** The element type and length (`null`: any) of an array type, or `undefined` for any other type. */
export function arrayType(type: string): { element: string; length: number | null } | undefined {
  if (!type.endsWith(']')) return undefined
  const open = type.lastIndexOf('[')
  const length = type.slice(open + 1, -1)
  if (open < 1 || !/^(?:[1-9][0-9]{0,8})?$/.test(length)) throw invalidPayload('An array type is malformed.')
  return { element: type.slice(0, open), length: length === '' ? null : Number(length) }
}

/**
 * Describes struct types: "Name(type field,…)" with the types it refers to, sorted, behind it (EIP-712, encodeType). What all descriptions
 * share is made once: types that refer to each other stand in each of them.
 */
export function typeDescriber(types: StructTypes): (name: string) => string {
  const parts = new Map<string, { text: string; others: readonly string[] }>()
  for (const name of [...types.keys()].sort()) {
    const fields = types.get(name) ?? []
    const text = `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`
    const others = new Set(fields.map(({ base }) => base).filter((base) => types.has(base)))
    parts.set(name, { text, others: [...others] })
  }
  return (name) => {
    const found = new Set([name])
    for (const next of found) for (const other of parts.get(next)?.others ?? []) found.add(other)
    let text = parts.get(name)?.text ?? ''
    if (found.size === 1) return text
    for (const [other, part] of parts) if (other !== name && found.has(other)) text += part.text
    return text
  }
}

/** The description of one type. */
export const encodeType = (name: string, types: StructTypes): string => typeDescriber(types)(name)

/** Only what could be a name is repeated. */
const named = (type: string): string => (typeName.test(type) ? `: ${type}` : '')

function baseType(type: string): string {
  let base = type
  for (let array = arrayType(base); array; array = arrayType(base)) base = array.element
  return base
}

const fullType = (type: string): string => type.replace(alias, '$1256')

function structFields(name: string, declared: unknown): readonly ReadField[] {
  if (name.length > namesMax || !typeName.test(name) || isAtomicType(fullType(name))) {
    throw invalidPayload('A typed data type name may only have letters, digits, _, $ and :.')
  }
  if (!Array.isArray(declared)) throw invalidPayload('A type of the typed data is not a list of fields.')
  const fields = declared.map(structField)
  if (new Set(fields.map((field) => field.name)).size !== fields.length) {
    throw invalidPayload('A type of the typed data has two fields of one name.')
  }
  return fields
}

function structField(declared: unknown): ReadField {
  if (typeof declared === 'object' && declared !== null && 'name' in declared && 'type' in declared) {
    const { name, type, ...rest } = declared
    const fits = typeof name === 'string' && typeof type === 'string' && type.length <= namesMax
    if (fits && Object.keys(rest).length === 0 && name.length <= namesMax && memberName.test(name)) {
      const full = fullType(type)
      return { name, type: full, base: baseType(full) }
    }
  }
  throw invalidPayload('A field of the typed data is malformed.')
}
