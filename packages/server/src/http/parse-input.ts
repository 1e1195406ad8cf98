import { ApiError, issueWords, type Route, validationDetails } from '@symbolon/api'
import type * as z from 'zod'
import { explainIssues } from './explain-issues.ts'

/** Parses path, query and body by the route's schemas; a path that does not parse names nothing: 404. A raw handler reads the body itself. */
export function parseInput(route: Route, raw: { params: unknown; query: unknown; body: unknown }) {
  const params = route.params?.safeParse(raw.params, { error: issueWords })
  if (params?.success === false)
    throw new ApiError('not_found', { message: nowhere(params.error, raw.params) })
  return {
    params: params?.data,
    query: route.query && parse(route.query, raw.query),
    body:
      route.handler === 'raw' ? undefined : route.body ? parse(route.body, raw.body) : refuseBody(raw.body),
  }
}

/** What may be repeated: no longer than an id, which is shorter than any credential, and nothing that a page would take for more. */
const harmless = /^[\w.:@!-]{1,36}$/

/** Says which part of the address is wrong. An empty variable in a script is the usual reason, or a name where an id belongs. */
function nowhere({ issues: [first] }: z.ZodError, params: unknown): string {
  const name = String(first?.path[0])
  const value = (params as Readonly<Record<string, unknown>> | undefined)?.[name]
  return typeof value === 'string' && harmless.test(value)
    ? `Nothing has this address: its ${name} \`${value}\` ${first?.message}.`
    : `Nothing has this address: its ${name} is empty or malformed.`
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value, { error: issueWords })
  if (parsed.success) return parsed.data
  throw new ApiError('invalid_request', { details: explainIssues(validationDetails(parsed.error), value) })
}

/** A route without a body takes none, or an empty object, which some clients always send. */
function refuseBody(body: unknown): undefined {
  if (body === undefined) return undefined
  if (typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0)
    return undefined
  throw new ApiError('invalid_request', { message: 'This route takes no body.' })
}
