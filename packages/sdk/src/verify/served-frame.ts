import { AttestationUnavailableError } from './fetch-attestation.ts'

/** Where the frame is asked for: its origin, and the key of whose page it is; without one, the page without its configuration. */
export type FrameSource = {
  readonly url: string
  readonly publishableKey: string | undefined
  readonly fetch: typeof fetch
}

/** The page that a frame serves, without its configuration; or in words why there is none. */
export type ServedPage = { readonly text: string; readonly sha256: string } | { readonly flaw: string }

const limitMs = 15_000
const fileBytesMax = 8 << 20

/** Asks for the page of a frame. Rejects with `AttestationUnavailableError` where nobody answers. */
export async function servedPage(source: FrameSource): Promise<ServedPage> {
  const { publishableKey } = source
  const path =
    publishableKey === undefined
      ? '/frame/document'
      : `/frame?publishable_key=${encodeURIComponent(publishableKey)}`
  const served = await bytesOf(source, path)
  if (typeof served === 'string') return { flaw: served }
  // A mark at the beginning is part of what is served.
  const text = withoutConfiguration(new TextDecoder('utf-8', { ignoreBOM: true }).decode(served))
  return { text, sha256: hex(await digest('SHA-256', new TextEncoder().encode(text))) }
}

/**
 * What of a page's files is not what it says: a file that it loads without a hash, from elsewhere, or whose bytes have another one. Undefined
 * where all is as it says.
 */
export async function flawOfFiles(source: FrameSource, page: string): Promise<string | undefined> {
  for (const [tag] of page.matchAll(/<(?:script|link)\b[^>]*>/g)) {
    const path = /\s(?:src|href)="([^"]*)"/.exec(tag)?.[1]
    if (path === undefined || path.startsWith('data:')) continue
    const integrity = /\sintegrity="sha384-([A-Za-z0-9+/]{64})"/.exec(tag)?.[1]
    if (integrity === undefined) return `it loads ${path} without the file's hash`
    if (!/^\/(?!\/)/.test(path)) return `it loads ${path} from elsewhere`
    const served = await bytesOf(source, path)
    if (typeof served === 'string') return served
    if (base64(await digest('SHA-384', served)) !== integrity) return `${path} is another file`
  }
  return undefined
}

/** The configuration differs from key to key. In an element of data, only `<` begins anything, so that nothing else can hide in its place. */
const withoutConfiguration = (page: string): string =>
  page.replace(/(<script type="application\/json" id="frame-config">)[^<]*(?=<\/script>)/, '$1')

/** The bytes at a path of the frame, or what is wrong with the answer. */
async function bytesOf({ url, fetch: ask }: FrameSource, path: string): Promise<Uint8Array | string> {
  const [shown = ''] = path.split('?')
  try {
    const answer = await ask(url + path, { redirect: 'manual', signal: AbortSignal.timeout(limitMs) })
    if (answer.status !== 200) return `${shown} answers ${answer.status}`
    return (await wholeBody(answer)) ?? `${shown} is longer than any file of a frame`
  } catch (cause) {
    throw new AttestationUnavailableError(`No answer from ${url}, where the wallet frame should be.`, {
      cause,
    })
  }
}

/** The body; undefined of one that is too long. */
async function wholeBody({ body }: Response): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for (const reader = body?.getReader(); reader !== undefined; ) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    length += value.length
    if (length > fileBytesMax) {
      await reader.cancel()
      return undefined
    }
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const digest = async (algorithm: string, bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest(algorithm, Uint8Array.from(bytes)))

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
