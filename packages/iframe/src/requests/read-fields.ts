import { FrameFailure } from '../frame-failure.ts'
import type { JsonObject } from '../protocol/messages.ts'

/** An `invalid_request` that names the problem, never the value. */
export function refused(message: string): FrameFailure {
  return new FrameFailure('invalid_request', { message })
}

/** Whether a value is a plain object of JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The value as an object that has all `required` and none but the `optional` fields besides, otherwise
 * `invalid_request`. Inherited fields do not count.
 */
export function readFields(
  value: unknown,
  required: readonly string[],
  optional: readonly string[] = [],
): JsonObject {
  if (!isObject(value)) throw refused('An object was expected.')
  for (const name of required) if (!Object.hasOwn(value, name)) throw refused(`\`${name}\` is required.`)
  for (const name of Object.keys(value)) {
    if (!required.includes(name) && !optional.includes(name)) throw refused('There is an unknown field.')
  }
  return value
}

/** A text of that form and at most so many characters. */
export function readText(value: unknown, name: string, form?: RegExp, lengthMax = Infinity): string {
  if (typeof value !== 'string' || value.length > lengthMax || (form !== undefined && !form.test(value)))
    throw refused(`\`${name}\` is not valid.`)
  return value
}

/** One of the values. */
export function readOneOf<const value extends string>(
  given: unknown,
  name: string,
  values: readonly value[],
): value {
  const found = values.find((value) => value === given)
  if (found === undefined) throw refused(`\`${name}\` is not valid.`)
  return found
}

/** True or false. */
export function readBoolean(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw refused(`\`${name}\` is not valid.`)
  return value
}

/** What `read` makes of a field that is there; an absent one stays absent. */
export function readOptional<name extends string, value>(
  fields: JsonObject,
  name: name,
  read: (value: unknown, name: string) => value,
): { [key in name]?: value } {
  const result: { [key in name]?: value } = {}
  if (Object.hasOwn(fields, name)) result[name] = read(fields[name], name)
  return result
}
