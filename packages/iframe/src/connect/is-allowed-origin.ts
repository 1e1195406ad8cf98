/** Which pages may talk to the frame. `allowedOrigins` are exact: scheme, host and port. */
export type OriginRule = {
  readonly allowedOrigins: readonly string[]
  readonly areLoopbackOriginsAllowed: boolean
  readonly ownOrigin: string
}

/** localhost with its subdomains, 127.0.0.1 and ::1 by plain http, as a browser writes an origin. */
const loopbackForm = /^http:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/

/**
 * Whether a page of this origin, as the browser names it, may talk to the frame. An opaque origin (`null`) never may,
 * whatever the list says.
 */
export function isAllowedOrigin(origin: string, rule: OriginRule): boolean {
  if (origin === 'null' || origin === '') return false
  if (origin === rule.ownOrigin || rule.allowedOrigins.includes(origin)) return true
  return rule.areLoopbackOriginsAllowed && loopbackForm.test(origin)
}
