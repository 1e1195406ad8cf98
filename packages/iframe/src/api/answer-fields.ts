import { fromBase64, fromHex0x } from '@symbolon/networks/request'
import type { JsonObject } from '../protocol/messages.ts'
import { isObject } from '../requests/read-fields.ts'

/** The fields of an answer's `data`. An answer of another shape is our bug: an `Error`, reported as `internal`. */
export function answerFields(data: unknown): JsonObject {
  if (!isObject(data)) throw new Error('an answer without data')
  return data
}

/** A text that is not empty. */
export function text(fields: JsonObject, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string' || value === '') throw new Error(`an answer without ${name}`)
  return value
}

/** A whole number from 1 on. */
export function number(fields: JsonObject, name: string): number {
  const value = fields[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    throw new Error(`an answer without ${name}`)
  return value
}

/** The bytes of a base64 text. */
export function base64Bytes(fields: JsonObject, name: string): Uint8Array {
  const bytes = fromBase64(text(fields, name))
  if (bytes === undefined) throw new Error(`an answer without ${name}`)
  return bytes
}

/** The bytes of a 0x hex text. */
export function hexBytes(fields: JsonObject, name: string): Uint8Array {
  const bytes = fromHex0x(text(fields, name))
  if (bytes === undefined) throw new Error(`an answer without ${name}`)
  return bytes
}
