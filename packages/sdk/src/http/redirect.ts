const redirects = new Set([301, 302, 303, 307, 308])

/**
 * What to say of an answer that is a redirect, asked for at `path` below an address; undefined of any other. Redirects are never followed, for
 * they would carry a credential elsewhere. Of where it leads, only the origin is named, with the address's own path where that stays the same.
 */
export function redirectSaid(address: string, path: string, answer: Response): string | undefined {
  // To a page, the answer has neither status nor headers.
  if (answer.type !== 'opaqueredirect' && !redirects.has(answer.status)) return undefined
  const asked = new URL(address + path)
  const location = answer.headers.get('location') ?? ''
  const to = URL.canParse(location, asked.href) ? new URL(location, asked.href) : asked
  if (to.origin === asked.origin)
    return `${address} redirects instead of answering: check the address, and any proxy.`
  if (to.pathname !== asked.pathname)
    return `${address} redirects to ${to.origin}, where no platform is meant to be: check the address, and any proxy.`
  const there = to.origin + new URL(address).pathname.replace(/\/+$/, '')
  return `${address} redirects to ${there}: use that address.`
}
