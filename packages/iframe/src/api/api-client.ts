import { FrameFailure } from '../frame-failure.ts'
import type { JsonObject } from '../protocol/messages.ts'
import { isObject } from '../requests/read-fields.ts'

/** What the client needs from outside; `baseUrl` is the platform's origin. */
export type ApiPorts = {
  readonly baseUrl: string
  readonly publishableKey: string
  /** The `client_nonce` of this browser, a secret; sent where the service asks which device it is. */
  readonly device: string
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Resolves after so many milliseconds; rejects with the signal's reason when that aborts first. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** One call. `isPatient`: after a 429 it waits as long as the service says, 15 s in all. */
export type ApiCall = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Absent for a login, which has none yet. */
  readonly token?: string
  readonly body?: JsonObject
  readonly idempotencyKey?: string
  readonly isPatient?: boolean
  readonly timeLimitMs?: number
  readonly signal?: AbortSignal
}

/** The `data` of an answer; null for an answer without a body. */
export type ApiClient = (call: ApiCall) => Promise<unknown>

// The calls that tell a device that is new to the user from a known one.
const devicePaths = /^\/v1\/wallets\/(?:identify|me\/(?:recovery|export)\/)/
const patienceMs = 15_000
const usualTimeLimitMs = 30_000

type Answer = { readonly data: unknown } | { readonly failure: FrameFailure; readonly retryAfterMs: number }

/**
 * Calls the API at the frame's own origin. An error of the API is a `FrameFailure` with its code, message, details and
 * request id (`wallet_exists` has the wallet in `details.wallet`); no answer, or none of the API's form, is
 * `network_failed`: the service may have done what was asked.
 */
export function apiClient(ports: ApiPorts): ApiClient {
  return async (call) => {
    for (let waitedMs = 0; ; ) {
      const answer = await once(ports, call)
      if ('data' in answer) return answer.data
      const { failure, retryAfterMs } = answer
      const mayWait = call.isPatient === true && failure.code === 'rate_limited'
      if (!mayWait || waitedMs + retryAfterMs > patienceMs) throw failure
      waitedMs += retryAfterMs
      await ports.wait(retryAfterMs, call.signal)
    }
  }
}

async function once(ports: ApiPorts, call: ApiCall): Promise<Answer> {
  const limit = AbortSignal.timeout(call.timeLimitMs ?? usualTimeLimitMs)
  const signal = call.signal === undefined ? limit : AbortSignal.any([call.signal, limit])
  try {
    const response = await ports.fetch(ports.baseUrl + call.path, { ...requestOf(ports, call), signal })
    if (response.status === 204) return { data: null }
    return read(response, await response.json())
  } catch {
    call.signal?.throwIfAborted()
    throw new FrameFailure('network_failed')
  }
}

function requestOf(
  { publishableKey, device }: ApiPorts,
  { method, path, token, body, idempotencyKey }: ApiCall,
): RequestInit {
  return {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'x-service-publishable-key': publishableKey,
      ...(devicePaths.test(path) && { 'x-service-device': device }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  }
}

function read({ ok, headers }: Response, envelope: unknown): Answer {
  if (!isObject(envelope)) throw new Error('not an envelope')
  const { data, error } = envelope
  if (ok) return { data }
  if (!isObject(error) || typeof error['code'] !== 'string' || typeof error['message'] !== 'string')
    throw new Error('no error')
  const { code, message, details } = error
  const requestId = headers.get('x-request-id')
  const failure = new FrameFailure(code as string, {
    message: message as string,
    ...(isObject(details) && { details }),
    ...(code === 'wallet_exists' && isObject(data) && { details: { wallet: data } }),
    ...(requestId !== null && { requestId }),
  })
  return { failure, retryAfterMs: Math.max(Number(headers.get('retry-after')) || 1, 0.1) * 1_000 }
}
