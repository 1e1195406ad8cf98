import { flawOf } from '../key-problem.ts'

/** Where calls with a credential go: https, or this machine. Throws `TypeError`; the answer has no slash at its end. */
export function safeUrl(text: string): string {
  const url = baseAddress(text)
  if (url.protocol !== 'https:' && !isLoopback(url))
    throw new TypeError('baseUrl must be https (http for loopback only)')
  return withoutSlash(url)
}

const isLoopback = ({ hostname }: URL): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

/** What to say beside a failure at a URL of https on this machine, where nobody has a certificate. */
export function schemeHint(baseUrl: string): string {
  const url = new URL(baseUrl)
  return url.protocol === 'https:' && isLoopback(url) ? ' On this machine, it begins with http://.' : ''
}

/** The URL that `baseUrl` is. Throws a `TypeError` that says what it must be; the platform's own says only that it is invalid. */
export function baseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new TypeError(
      `baseUrl must be the address of the platform, with https:// (http:// on loopback), such as https://wallets.example.com or http://127.0.0.1:8080${flawOf(text)}`,
    )
  if (/\/v1\/*$/.test(url.pathname)) throw new TypeError('baseUrl must not end in /v1: the SDK adds it')
  if (/[?#]/.test(text)) throw new TypeError('baseUrl must end before ? or #')
  return url
}

/** The URL as calls continue it. */
export function withoutSlash({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
