import { httpCall } from '../http/http-call.ts'
import { failure, type Result, success } from '../result.ts'
import type { FrameCode } from './frame-code.ts'

/** How the wallet frame is found: at `frameUrl`, or where the platform says. */
export type FrameSource = {
  readonly baseUrl: string
  readonly frameUrl: string | undefined
  readonly publishableKey: string
  readonly fetch: typeof fetch
}

type Locations = {
  'GET /v1/frame': { data: { readonly url: string }; code: 'not_found' | 'unavailable' | 'internal' }
}

/** The URL of an organization's frame. Only its origin is ever talked to. */
export async function frameLocation(source: FrameSource): Promise<Result<URL, FrameCode>> {
  const { baseUrl, frameUrl, publishableKey, fetch } = source
  let location = frameUrl
  if (location === undefined) {
    const { data } = await httpCall<Locations>({ baseUrl, fetch, headers: () => ({}) })('GET /v1/frame', {})
    location = data?.url
  }
  const url = location === undefined ? undefined : frameUrlOf(location)
  if (url === undefined) return failure('frame_unreachable', 'The wallet could not be found.')
  url.searchParams.set('publishable_key', publishableKey)
  return success(url)
}

/** The URL of the frame by its origin, or by itself; undefined where that is no URL of the web. */
export function frameUrlOf(location: string): URL | undefined {
  if (!URL.canParse(location)) return undefined
  const url = new URL(location)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  if (url.pathname === '/') url.pathname = '/frame'
  url.hash = ''
  return url
}
