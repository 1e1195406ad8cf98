/** Cookies of the portal: `session` holds a session's token, `login` what ties a login on its way to its browser. */
export type PortalCookie = 'session' | 'login'

/** As Secure cookies with the strictest prefix; over plain http (loopback in development) browsers would drop those. */
const nameOf = (cookie: PortalCookie, isSecure: boolean) => (isSecure ? `__Host-${cookie}` : cookie)

/** A `Set-Cookie` value: for this host alone, unseen by scripts, not sent along by other sites' forms (SameSite=Lax). */
export function setCookie(
  cookie: PortalCookie,
  value: string,
  { isSecure, maxAgeSeconds }: { isSecure: boolean; maxAgeSeconds: number },
): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${maxAgeSeconds}`]
  if (isSecure) attributes.push('Secure')
  return [`${nameOf(cookie, isSecure)}=${value}`, ...attributes].join('; ')
}

/** The value of a cookie in a `Cookie` header; undefined when it is missing, there twice, or no token of ours. */
export function readCookie(
  header: string | undefined,
  cookie: PortalCookie,
  isSecure: boolean,
): string | undefined {
  if (header === undefined) return undefined
  const start = `${nameOf(cookie, isSecure)}=`
  const values = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
    .map((part) => part.slice(start.length))
  const [value] = values
  return values.length === 1 && value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}
