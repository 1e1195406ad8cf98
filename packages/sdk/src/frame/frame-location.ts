import { notThePlatform, type Platform } from '../http/explain-unreachable.ts'
import { type HttpCallPorts, httpCall } from '../http/http-call.ts'
import { failure, type Result, type SdkError, success } from '../result.ts'
import type { FrameCode } from './frame-code.ts'

/** A platform, and how an unanswered call to it is explained. */
export type FrameSource = Platform & Pick<HttpCallPorts, 'explain'>

type Locations = {
  'GET /v1/frame': {
    query: { readonly publishable_key: string }
    data: { readonly url: string }
    code: FrameCode | 'not_found'
  }
}

/**
 * Where the platform says that the frame is, for a page whose key and origin it accepts; otherwise its refusal. Pages ask before they load
 * anything: a frame that is refused says nothing to its page.
 */
export async function frameLocation(source: FrameSource): Promise<Result<URL, FrameCode>> {
  const { publishableKey } = source
  const call = httpCall<Locations>({ ...source, headers: () => ({}) })
  const { data, error } = await call('GET /v1/frame', { query: { publishable_key: publishableKey } })
  if (error !== null && error.code !== 'not_found') return { data: null, error: error as SdkError<FrameCode> }
  const url = frameUrlOf(data?.url)
  return url === undefined
    ? { data: null, error: notThePlatform(source.baseUrl, failure('invalid_answer', '').error) as never }
    : success(withKey(url, publishableKey))
}

/** The frame's page for the organization of a key. */
export function withKey(url: URL, publishableKey: string): URL {
  url.searchParams.set('publishable_key', publishableKey)
  return url
}

/** The URL of the frame by its origin, or by itself; undefined where that is no URL of the web. */
export function frameUrlOf(location: unknown): URL | undefined {
  if (typeof location !== 'string' || !URL.canParse(location)) return undefined
  const url = new URL(location)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  if (url.pathname === '/') url.pathname = '/frame'
  url.hash = ''
  return url
}
