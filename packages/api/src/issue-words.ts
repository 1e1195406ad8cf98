import type * as z from 'zod'

/** An issue as a schema raises it, before it has a message. */
type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

/** More alternatives than this are not listed: the reference has them. */
const alternativesMax = 24

/**
 * What an issue says about its field, as a predicate without the field's name: `is required`, `must be between 1 and 200`. Pass it as
 * `error` to `safeParse`; a message that a schema carries itself is such a predicate too. Repeats no value of the request.
 */
export const issueWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${typeWords[issue.expected] ?? 'of another type'}`
    case 'too_big':
    case 'too_small':
      return boundWords(issue)
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : oneOf(issue.values)
    case 'invalid_union':
      return unionWords(issue)
    case 'unrecognized_keys':
      return `has ${issue.keys.length === 1 ? 'an unknown field' : 'unknown fields'}: ${quoted(issue.keys)}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return formatWords[issue.format] ?? 'has another form than it must have'
    case 'invalid_key':
      return 'has a name that is not allowed'
    default:
      return 'is not valid'
  }
}

/** Formats that the schema library names in its own words; a schema with any other has a message itself. */
const formatWords: Readonly<Record<string, string>> = {
  email: 'must be an email address',
  url: 'must be a URL',
  uuid: 'must be a UUID',
  datetime: 'must be an ISO 8601 date and time',
  base64: 'must be base64',
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  tuple: 'an array',
  null: 'null',
}

/** One issue of a size names both of its ends, where the schema has both. */
function boundWords(issue: RawIssue & { code: 'too_big' | 'too_small' }): string {
  const given = issue.code === 'too_big' ? { maximum: issue.maximum } : { minimum: issue.minimum }
  const { minimum, maximum } = { ...endsOf(issue), ...given }
  const unit = unitWords[issue.origin]
  if (unit === undefined) {
    const isOpen = issue.inclusive === false && (minimum === undefined || maximum === undefined)
    if (isOpen) return minimum === undefined ? `must be below ${maximum}` : `must be above ${minimum}`
    return `must be ${range(minimum, maximum, 'between')}`
  }
  if (minimum === 1 && issue.code === 'too_small') return 'must not be empty'
  const last = Number(maximum ?? minimum)
  return `must have ${range(minimum === 0 ? undefined : minimum, maximum, '')} ${unit[last === 1 ? 0 : 1]}`
}

const unitWords: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['entry', 'entries'],
}

type End = number | bigint | undefined

type CheckDef = { check: string; minimum?: unknown; maximum?: unknown; length?: unknown; value?: unknown }

/** Both ends of a size, from all checks of the schema that raised the issue. */
function endsOf(issue: RawIssue): { minimum?: End; maximum?: End } {
  const { schema } = issue as { schema?: z.core.$ZodType }
  const ends: { minimum?: End; maximum?: End } = {}
  for (const check of schema?._zod.def.checks ?? []) {
    const def = check._zod.def as CheckDef
    if (def.check === 'greater_than') ends.minimum = endOf(def.value)
    if (def.check === 'less_than') ends.maximum = endOf(def.value)
    if (def.check === 'min_length') ends.minimum = endOf(def.minimum)
    if (def.check === 'max_length') ends.maximum = endOf(def.maximum)
    if (def.check === 'length_equals') ends.minimum = ends.maximum = endOf(def.length)
  }
  return ends
}

/** The ends that JavaScript's own whole numbers set are nobody's limit. */
const endOf = (value: unknown): End =>
  typeof value === 'bigint' ||
  (typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 2 ** 53 - 1)
    ? value
    : undefined

function range(minimum: End, maximum: End, between: string): string {
  if (minimum === undefined) return `at most ${maximum}`
  if (maximum === undefined) return `at least ${minimum}`
  if (minimum === maximum) return between === '' ? `exactly ${minimum}` : `${minimum}`
  return between === '' ? `${minimum} to ${maximum}` : `between ${minimum} and ${maximum}`
}

/** Of alternatives that a field decides; where none of them fits at all, `flatten` explains the closest. */
function unionWords(issue: RawIssue & { code: 'invalid_union' }): string {
  if (issue.input === undefined) return 'is required'
  const { discriminator, options } = issue as { discriminator?: string; options?: readonly unknown[] }
  if (discriminator === undefined || options === undefined) return 'is not valid'
  const given = (issue.input as Readonly<Record<string, unknown>>)[discriminator]
  return given === undefined ? 'is required' : oneOf(options)
}

/** Alternatives that a request can hold: JSON has no undefined. */
function oneOf(values: readonly unknown[]): string {
  const known = values.filter((value) => value !== undefined)
  if (known.length > alternativesMax) return 'must be one of the values in the API reference'
  return known.length === 1 ? `must be ${quoted(known)}` : `must be one of ${quoted(known)}`
}

const quoted = (values: readonly unknown[]): string =>
  values.map((value) => `\`${String(value)}\``).join(', ')
