/** What a statement takes for a `$n`. Objects go as JSON and only when they say so (`sql.json`). */
export type Value = Scalar | Json | readonly Scalar[]
type Scalar = string | number | bigint | boolean | Date | Uint8Array | null

/** A value that travels as JSON; PostgreSQL takes it for `json` and `jsonb`. */
export class Json {
  readonly text: string
  constructor(value: unknown) {
    this.text = JSON.stringify(value)
  }
}

/** What the wire carries for a value: its text, bytes, or NULL. Its type is what PostgreSQL infers or the statement casts it to. */
export function toParameter(value: Value): string | Uint8Array | null {
  if (typeof value === 'string' || value === null || value instanceof Uint8Array) return value
  if (value instanceof Json) return value.text
  if (Array.isArray(value)) return arrayLiteral(value)
  return textOf(value as Exclude<Scalar, string | null | Uint8Array>)
}

function textOf(value: number | bigint | boolean | Date): string {
  if (value instanceof Date) return value.toISOString()
  // Types end at the compiler: an undefined or an object would otherwise become a text.
  if (!['number', 'bigint', 'boolean'].includes(typeof value))
    throw new TypeError(`A statement takes no ${typeof value}.`)
  return String(value)
}

/** The literal of a flat array. */
function arrayLiteral(values: readonly Scalar[]): string {
  return `{${values.map(elementLiteral).join(',')}}`
}

function elementLiteral(value: Scalar): string {
  if (value === null) return 'NULL'
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`
  const text = typeof value === 'string' ? value : textOf(value)
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

type Parse = (text: string) => unknown
const asText: Parse = (text) => text
const asDate: Parse = (text) => new Date(text)

/**
 * How results are read, by the object ids of PostgreSQL's catalogue (`pg_type.dat`). Everything else stays text, among it
 * `bigint` and `numeric`, which a number cannot hold.
 */
const parsers: Readonly<Record<number, Parse>> = {
  16: (text) => text === 't', // boolean
  17: (text) => Buffer.from(text.slice(2), 'hex'), // bytea
  // smallint, integer, oid, real, double precision
  ...Object.fromEntries([21, 23, 26, 700, 701].map((id) => [id, Number])),
  ...Object.fromEntries([114, 3802].map((id) => [id, JSON.parse])), // json, jsonb
  ...Object.fromEntries([1082, 1114, 1184].map((id) => [id, asDate])), // date, timestamp, timestamptz
  // text[], varchar[], uuid[], cidr[], inet[], bigint[], timestamptz[]
  ...Object.fromEntries([1009, 1015, 2951, 651, 1041, 1016, 1185].map((id) => [id, elementsAs(asText)])),
  // smallint[], integer[], real[], double precision[]
  ...Object.fromEntries([1005, 1007, 1021, 1022].map((id) => [id, elementsAs(Number)])),
}

/** How a column of this type is read. */
export const parserOf = (typeId: number): Parse => parsers[typeId] ?? asText

function elementsAs(parse: Parse): Parse {
  return (text) => arrayElements(text).map(parse)
}

/** The elements of a flat array's literal; NULL is not among what we store. */
function arrayElements(text: string): string[] {
  const matches = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)
  return [...matches].map(([, quoted, plain = '']) => quoted?.replace(/\\(.)/gs, '$1') ?? plain)
}
