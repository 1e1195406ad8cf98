/** The headers of an answer that a page may read. */
export const corsHeaders = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers':
    'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, idempotent-replayed',
  vary: 'Origin',
})

/** The headers of the answer to a preflight, which carries no key: the request itself decides later. */
export const preflightHeaders = (origin: string, methods: readonly string[]) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, x-service-publishable-key, x-service-device',
  'access-control-max-age': '600',
  vary: 'Origin',
})
