import { randomHex } from '../bytes.ts'
import { toJson } from '../json.ts'
import { failure, type Result, type SdkError } from '../result.ts'
import type { Attempt } from './attempt.ts'
import type { Call, CallOptions } from './call.ts'
import { pause } from './pause.ts'
import { rateLine } from './rate-line.ts'
import { readAnswer } from './read-answer.ts'
import { repeatAfterMs } from './repeat-after.ts'

/**
 * The dependencies of calls. `headers` are asked once per call, so that its repetitions bear the same token. Cookies go
 * along only with `areCookiesSent`, and then to the page's own origin alone.
 */
export type HttpCallPorts = {
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly headers: () => Readonly<Record<string, string>>
  readonly areCookiesSent?: boolean
  /**
   * What is known of a call that got no answer, or `not_found`, as an address of another service says it too: the error in its place.
   * Asked while no call has had another answer.
   */
  readonly explain?: (failed: SdkError) => SdkError | Promise<SdkError>
}

type AnyInput = CallOptions & {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

const limitMsDefault = 60_000
/** Codes that say nothing of the platform, and those for which a wrong address may be the reason. */
const unanswered = new Set<unknown>(['network_failed', 'timeout', 'cancelled', 'invalid_answer'])
const explainable = new Set(['network_failed', 'invalid_answer', 'not_found'])

/**
 * Calls of the HTTP API. Every repeatable POST carries an `Idempotency-Key`, so that one whose answer was lost is sent again
 * and takes effect once, at most three times in all. A 429 whose `Retry-After` is at most 10 s is waited out, up to 90 s per call: calls
 * of one route come again in the order in which they were made.
 */
export function httpCall<table>(ports: HttpCallPorts): Call<table> {
  let { explain } = ports
  const line = rateLine()
  const call = async (at: string, input: AnyInput): Promise<Result<unknown>> => {
    const [method = '', path = ''] = at.split(' ')
    const { isRepeatable = true, signal } = input
    const key = method === 'POST' && isRepeatable ? (input.idempotencyKey ?? randomHex(16)) : undefined
    const headers = { ...ports.headers(), ...(key !== undefined && { 'idempotency-key': key }) }
    const turn = line(at, signal)
    try {
      await turn.ready()
      for (let attempt = 1; ; ) {
        const answer = await send(ports, method, target(ports.baseUrl, path, input), input, headers)
        const { error } = answer.result
        if (!unanswered.has(error?.code) && error?.code !== 'not_found') explain = undefined
        if (error?.code === 'rate_limited' && (await turn.later(answer.retryAfterMs))) continue
        const afterMs = repeatAfterMs(answer, attempt, method === 'GET' || key !== undefined)
        if (afterMs === undefined || signal?.aborted)
          return error !== null && explain !== undefined && explainable.has(error.code)
            ? { data: null, error: await explain(error) }
            : answer.result
        await pause(afterMs, signal)
        attempt++
      }
    } finally {
      turn.end()
    }
  }
  return call as unknown as Call<table>
}

async function send(
  ports: HttpCallPorts,
  method: string,
  url: string,
  { body, signal, limitMs = limitMsDefault }: AnyInput,
  headers: Readonly<Record<string, string>>,
): Promise<Attempt> {
  if (signal?.aborted) return { result: failure('cancelled', 'The call was cancelled.') }
  const controller = new AbortController()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, limitMs)
  const cancel = () => controller.abort()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    const response = await ports.fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: toJson(body) }),
      credentials: ports.areCookiesSent === true ? 'same-origin' : 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: controller.signal,
    })
    return await readAnswer(response)
  } catch (cause) {
    if (signal?.aborted) return { result: failure('cancelled', 'The call was cancelled.') }
    if (isLate)
      return { result: failure('timeout', 'The service took too long to answer. Try again.', { cause }) }
    return { result: failure('network_failed', 'The service could not be reached. Try again.', { cause }) }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

function target(baseUrl: string, path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return `${baseUrl}${filled}${search === '' ? '' : `?${search}`}`
}
