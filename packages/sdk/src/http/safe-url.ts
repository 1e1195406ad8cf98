/** Where calls with a credential go: https, or this machine. Throws `TypeError`; the answer has no slash at its end. */
export function safeUrl(text: string): string {
  const url = baseAddress(text)
  const isLoopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback))
    throw new TypeError('baseUrl must be https (http for loopback only)')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** The URL that `baseUrl` is. Throws a `TypeError` that says what it must be; the platform's own says only that it is invalid. */
export function baseAddress(text: string): URL {
  try {
    return new URL(text)
  } catch {
    throw new TypeError('baseUrl must be the address of the platform, such as https://wallets.example.com')
  }
}
