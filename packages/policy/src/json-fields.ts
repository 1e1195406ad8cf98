import { PolicyError } from './policy-error.ts'

/** Reads one value of a JSON document; `path` is what an error calls it. */
export type Read<value> = (json: unknown, path: string) => value

/** The fields of a JSON object, by name. */
export type JsonFields = ReadonlyMap<string, unknown>

const visibleText = /^[\x21-\x7e]+$/
const amountText = /^(0|[1-9][0-9]{0,77})$/
const timestampText = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The fields of an object that has no others than `names`; a map, so that no name means more than itself. */
export function readObject(json: unknown, path: string, names: readonly string[]): JsonFields {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return refuse(path, 'not an object')
  const fields = new Map<string, unknown>(Object.entries(json))
  for (const name of fields.keys()) if (!names.includes(name)) refuse(path, 'has an unknown field')
  return fields
}

/** A field if it is there, otherwise `absent`. */
export function readField<value, absent>(
  fields: JsonFields,
  name: string,
  read: Read<value>,
  absent: absent,
): value | absent {
  return fields.has(name) ? read(fields.get(name), name) : absent
}

/** A field that has to be there. */
export function readRequired<value>(fields: JsonFields, name: string, read: Read<value>): value {
  return fields.has(name) ? read(fields.get(name), name) : refuse(name, 'missing')
}

/** A list of at most `itemsMax`. */
export function listOf<item>(read: Read<item>, itemsMax: number): Read<readonly item[]> {
  return (json, path) => {
    if (!Array.isArray(json) || json.length > itemsMax)
      return refuse(path, `not a list of at most ${itemsMax}`)
    return json.map((item: unknown) => read(item, path))
  }
}

/** A text of 1 to `lengthMax` characters of visible ASCII. */
export function textOf(lengthMax: number): Read<string> {
  return (json, path) =>
    typeof json === 'string' && json.length <= lengthMax && visibleText.test(json)
      ? json
      : refuse(path, `not a text of 1 to ${lengthMax} visible ASCII characters`)
}

/** One of some words. */
export function wordOf<word extends string>(words: readonly word[]): Read<word> {
  return (json, path) => words.find((word) => word === json) ?? refuse(path, 'not one of its words')
}

/** A whole number from `min` to `max`. */
export function integerOf(min: number, max: number): Read<number> {
  return (json, path) =>
    typeof json === 'number' && Number.isSafeInteger(json) && json >= min && json <= max
      ? json
      : refuse(path, `not a whole number from ${min} to ${max}`)
}

/** A decimal amount of at most 78 digits. */
export const readAmount: Read<bigint> = (json, path) =>
  typeof json === 'string' && amountText.test(json) ? BigInt(json) : refuse(path, 'not a decimal amount')

/** `true` or `false`. */
export const readFlag: Read<boolean> = (json, path) =>
  typeof json === 'boolean' ? json : refuse(path, 'not true or false')

/** The milliseconds since 1970 of an ISO 8601 time in UTC with milliseconds, of a moment that exists. */
export const readTimestamp: Read<number> = (json, path) => {
  if (typeof json !== 'string' || !timestampText.test(json)) return refuse(path, 'not a timestamp')
  const timeMs = Date.parse(json)
  const exists = !Number.isNaN(timeMs) && new Date(timeMs).toISOString() === json
  return exists ? timeMs : refuse(path, 'not a moment that exists')
}

function refuse(path: string, problem: string): never {
  throw new PolicyError(`${path}: ${problem}.`)
}
