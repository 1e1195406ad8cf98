/** Where calls with a credential go: https, or this machine. Throws `TypeError`; the answer has no slash at its end. */
export function safeUrl(text: string): string {
  const url = baseAddress(text)
  const isLoopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !isLoopback)
    throw new TypeError('baseUrl must be https (http for loopback only)')
  return withoutSlash(url)
}

/** The URL that `baseUrl` is. Throws a `TypeError` that says what it must be; the platform's own says only that it is invalid. */
export function baseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new TypeError(
      'baseUrl must be the address of the platform, with https:// (http:// on loopback): https://wallets.example.com, http://127.0.0.1:8080',
    )
  if (/\/v1\/*$/.test(url.pathname)) throw new TypeError('baseUrl must not end in /v1: calls add it')
  return url
}

/** The URL as calls continue it. */
export function withoutSlash({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
