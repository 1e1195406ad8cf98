/** Where calls with a credential go: https, or this machine. Throws `TypeError`; the answer has no slash at its end. */
export function safeUrl(text: string): string {
  const url = new URL(text)
  const isLoopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback))
    throw new TypeError('baseUrl must be https (http for loopback only)')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
