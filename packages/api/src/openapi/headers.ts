import { errorsOf, type Route, takesIdempotencyKey } from '../route.ts'

const integer = { type: 'integer', minimum: 0 }

/** The headers of answers, by the name of their component. */
export const headers = {
  'Idempotent-Replayed': {
    description: 'Present and `true` when this is the stored answer to an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: { description: 'Where the browser goes next.', schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'Requests that you may make at once.', schema: integer },
  'RateLimit-Remaining': { description: 'Requests that you may still make now.', schema: integer },
  'RateLimit-Reset': { description: 'Seconds until the full limit is available again.', schema: integer },
  'Retry-After': { description: 'Seconds to wait before you retry.', schema: integer },
  'X-Request-Id': { description: 'Identifies the request in the logs.', schema: { type: 'string' } },
} as const

/** The header parameter of routes that can be repeated safely. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a repeat safe for 24 hours: the first answer comes again. Bound to credential, method, path and body. 5xx answers are not kept.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const

/** The headers an answer of the route bears with this status. */
export function headersOf(route: Route, status: number): Record<string, { $ref: string }> {
  const isLimited = errorsOf(route).includes('rate_limited')
  const names: (keyof typeof headers)[] = [
    'X-Request-Id',
    ...(isLimited ? (['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(takesIdempotencyKey(route) && !route.bearsCredential && status < 300
      ? (['Idempotent-Replayed'] as const)
      : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
