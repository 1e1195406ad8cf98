import { ErrorObject } from '../envelope.ts'
import { type ErrorCode, errors } from '../errors.ts'
import { errorsOf, type Route } from '../route.ts'
import { headersOf } from './headers.ts'
import type { JsonSchema, Schemas } from './schemas.ts'

/** Every answer of the route by status: its success, and its errors with their codes and an example of each. */
export function responses(route: Route, schemas: Schemas): Record<string, JsonSchema> {
  const success: JsonSchema = {
    description: bodyless[route.status] ?? route.summary,
    headers: {
      ...headersOf(route, route.status),
      ...(route.status === 302 && { Location: { $ref: '#/components/headers/Location' } }),
    },
    ...(route.stream && { content: { [route.stream]: { schema: { type: 'string' } } } }),
    ...(route.data &&
      json(route.envelope === false ? schemas.of(route.data, 'output') : envelope(route, schemas))),
  }
  const codesByStatus = Map.groupBy([...errorsOf(route)].sort(), (code) => errors[code].status)
  const failures = [...codesByStatus].map(([status, codes]) => [status, failure(route, codes, schemas)])
  return { [route.status]: success, ...Object.fromEntries(failures) }
}

/** Successes that say all by their status and headers. */
const bodyless: Partial<Record<Route['status'], string>> = {
  204: 'Done; no body.',
  302: 'Leads the browser on.',
}

const json = (schema: JsonSchema, examples?: JsonSchema) => ({
  content: { 'application/json': { schema, ...(examples && { examples }) } },
})

const object = (data: JsonSchema, error: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['data', 'error'],
  properties: { data, error },
  additionalProperties: false,
})

function envelope(route: Route, schemas: Schemas): JsonSchema {
  return object(route.data ? schemas.of(route.data, 'output') : { type: 'null' }, { type: 'null' })
}

function failure(route: Route, codes: readonly ErrorCode[], schemas: Schemas): JsonSchema {
  const [first] = codes
  const status = first === undefined ? 500 : errors[first].status
  // The one answer with both set: the existing wallet comes with the refusal.
  const existing = codes.includes('wallet_exists') ? (route.existing ?? route.data) : undefined
  const data: JsonSchema = existing ? nullable(schemas.of(existing, 'output')) : { type: 'null' }
  const error = { allOf: [schemas.of(ErrorObject, 'output'), { properties: { code: { enum: codes } } }] }
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
    headers: headersOf(route, status),
    ...json(object(data, error), Object.fromEntries(codes.map((code) => [code, example(code)]))),
    'x-codes': codes,
  }
}

const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

// With `wallet_exists` an example would have to be a whole wallet: the schema says it better.
const example = (code: ErrorCode) => ({
  summary: errors[code].message,
  ...(code !== 'wallet_exists' && {
    value: { data: null, error: { code, message: errors[code].message } },
  }),
})
