import { fromBase64 } from '../codec/base64.ts'
import type { ProtoField, ProtoSchema } from '../codec/protobuf/proto-type.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { invalidPayload } from '../network-error.ts'
import { ownValue } from '../own-value.ts'
import { sortedJson } from './amino-json.ts'
import { coinSchema } from './coins.ts'
import type { AnyMessage } from './described.ts'
import { anySchema, durationSchema, timestampSchema } from './google-types.ts'

/**
 * A reading of amino JSON: how types within others are found, and whether all was written as the chain would write
 * it (`isExact` falls to false otherwise).
 */
export type AminoReading = {
  readonly toAny: (value: unknown, reading: AminoReading) => AnyMessage
  isExact: boolean
}

const decimal = /^(?:0|[1-9][0-9]{0,19})$/
const maxima = { u64: 2n ** 64n - 1n, i64: 2n ** 63n - 1n, u32: 2n ** 31n - 1n }
const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{0,8}[1-9]))?Z$/

/** A message from its amino JSON (names of protobuf, 64-bit numbers as texts); what does not fit is `invalid_payload`. */
export function fromAmino<message>(
  json: unknown,
  schema: ProtoSchema<message>,
  reading: AminoReading,
): message {
  const object = asObject(json)
  const message: Record<string, unknown> = {}
  for (const field of schema.fields) {
    const value = ownValue(object, field.name)
    const isCoins = field.isList && field.schema === coinSchema
    // Coins are always written, other empty lists and default values never.
    if (value === undefined) {
      if (isCoins) reading.isExact = false
      message[field.name] = field.absent
      continue
    }
    message[field.name] = field.isList
      ? asList(value, isCoins, reading).map((item) => fromValue(item, field, reading))
      : fromSingle(value, field, reading)
  }
  if (Object.keys(object).some((key) => !Object.hasOwn(message, key))) throw misfit()
  return message as message
}

function fromSingle(value: unknown, field: ProtoField, reading: AminoReading): unknown {
  const result = fromValue(value, field, reading)
  const isEmptyBytes = field.kind === 'bytes' && (result as Uint8Array).length === 0
  if (result === field.absent || isEmptyBytes) reading.isExact = false
  return result
}

function fromValue(value: unknown, field: ProtoField, reading: AminoReading): unknown {
  const { kind, schema } = field
  switch (kind) {
    case 'text':
      return asText(value)
    case 'bytes':
      return field.isJson ? encodeUtf8(sortedJson(value)) : asBytes(value)
    case 'bool':
      if (typeof value !== 'boolean') throw misfit()
      return value
    case 'u32':
      if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw misfit()
      return asNumber(String(value), kind)
    case 'u64':
    case 'i64':
      return asNumber(asText(value), kind)
    case 'message':
      if (schema === anySchema) return reading.toAny(value, reading)
      if (schema === timestampSchema) return asTimestamp(asText(value))
      if (schema === durationSchema) return asDuration(asText(value))
      if (schema === undefined) throw misfit()
      return fromAmino(value, schema, reading)
  }
}

function asObject(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw misfit()
  return json as Record<string, unknown>
}

function asList(value: unknown, isCoins: boolean, reading: AminoReading): readonly unknown[] {
  if (!Array.isArray(value)) throw misfit()
  if (value.length === 0 && !isCoins) reading.isExact = false
  return value
}

function asText(value: unknown): string {
  if (typeof value !== 'string') throw misfit()
  return value
}

function asBytes(value: unknown): Uint8Array {
  const bytes = fromBase64(asText(value))
  if (!bytes) throw misfit()
  return bytes
}

function asNumber(text: string, kind: keyof typeof maxima): bigint {
  if (!decimal.test(text)) throw misfit()
  const value = BigInt(text)
  if (value > maxima[kind]) throw misfit()
  return value
}

/** RFC 3339 in UTC, the fraction without trailing zeros. */
function asTimestamp(text: string): { seconds: bigint; nanos: bigint } {
  const [, whole, fraction = ''] = time.exec(text) ?? []
  const timeMs = Date.parse(`${whole}Z`)
  if (whole === undefined || !(timeMs >= 0)) throw misfit()
  return { seconds: BigInt(timeMs) / 1000n, nanos: BigInt(fraction.padEnd(9, '0')) }
}

/** Nanoseconds. */
function asDuration(text: string): { seconds: bigint; nanos: bigint } {
  const nanos = asNumber(text, 'i64')
  return { seconds: nanos / 1_000_000_000n, nanos: nanos % 1_000_000_000n }
}

function misfit(): Error {
  return invalidPayload('A message of the sign document is malformed.')
}
