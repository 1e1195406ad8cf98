import { isObject } from '../json.ts'
import { failure } from '../result.ts'
import { sdkVersion } from '../version.ts'
import type { Attempt } from './attempt.ts'

/** Reads the API's envelope: `{data, error}`, or no body with 204. Anything else is `invalid_answer`. */
export async function readAnswer(response: Response): Promise<Attempt> {
  const { status, headers } = response
  const requestId = headers.get('x-request-id')
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const about = { status, ...(requestId !== null && { requestId }) }
  const retry = Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {}
  const text = await response.text()
  if (status === 204) return { result: { data: null, error: null } }
  const envelope = parse(text)
  if (!isObject(envelope) || !('data' in envelope) || !('error' in envelope)) return unreadable(about)
  const { data, error } = envelope
  if (error === null) return response.ok ? { result: { data, error } } : unreadable(about)
  if (!isObject(error) || typeof error['code'] !== 'string' || typeof error['message'] !== 'string')
    return unreadable(about)
  const { code, message, details } = error as { code: string; message: string; details?: unknown }
  const docsUrl = docsUrlOf(response.url, code)
  const full = {
    code,
    message,
    ...(details !== undefined && { details }),
    ...about,
    ...(docsUrl && { docs_url: docsUrl }),
    version: sdkVersion,
  }
  // The one refusal with data: what exists already.
  return { result: { data: code === 'wallet_exists' ? data : null, error: full } as never, ...retry }
}

/** The page about a code on the platform that answered; none where an answer does not say where it is from. */
function docsUrlOf(answered: string, code: string): string | undefined {
  const at = answered.indexOf('/v1/')
  return at < 0 ? undefined : `${answered.slice(0, at)}/docs/errors/${code}`
}

function unreadable(about: { status: number; requestId?: string }): Attempt {
  return { result: failure('invalid_answer', 'The service sent an unreadable answer.', about) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
