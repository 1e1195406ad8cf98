/** What decides whether a browser's request may come from its page. */
export type OriginRules = {
  /** The platform's own origin. */
  ownOrigin: string
  /** The wallet frame's: the platform's own where it has none. */
  frameOrigin: string
  /** Development: any page on loopback may call an organization that lists no origin. */
  isLoopbackAllowed: boolean
}

/**
 * Whether a request with this `Origin` may call the organization: exact scheme, host and port of a listed origin. An empty
 * list allows the platform's own origin and its frame's only. A request without `Origin` does not come from a browser and passes.
 */
export function isOriginAllowed(
  origin: string | undefined,
  allowed: readonly string[],
  rules: OriginRules,
): boolean {
  if (origin === undefined || origin === rules.ownOrigin || origin === rules.frameOrigin) return true
  if (allowed.includes(origin)) return true
  return rules.isLoopbackAllowed && isLoopbackOrigin(origin)
}

function isLoopbackOrigin(origin: string): boolean {
  const url = URL.parse(origin)
  if (url === null || url.origin !== origin || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return false
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(url.hostname)
}
