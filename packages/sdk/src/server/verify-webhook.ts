import { backend } from '../adapters/backend.ts'
import { fromBase64 } from '../bytes.ts'
import { given } from '../given.ts'
import { flawOf } from '../key-problem.ts'
import { failure, type Result, success } from '../result.ts'
import type { PlatformKeys } from './platform-keys.ts'

/** Headers as a `Request` has them, or as Node's `http` gives them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** A message whose sender is proven. */
export type WebhookMessage = {
  /** The same when it is sent again. */
  readonly id: string
  /** When this sending was signed, in milliseconds since the epoch. */
  readonly sentAtMs: number
  readonly type: string
  /** When the message came about, ISO 8601. */
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Why a call was not verified. */
export type WebhookCode = 'invalid_signature' | 'timestamp_out_of_range' | 'invalid_message'

/** The proof of a webhook call: its headers, its raw bytes, and the secrets shared with the platform. */
export type WebhookProof = {
  readonly headers: WebhookHeaders
  /** The raw body, before any parser. */
  readonly body: Uint8Array | string
  /** `whsec_…`, one or several: while a secret is replaced, both are valid. */
  readonly secrets?: string | readonly string[]
  /** The platform's public keys, for `v1a` signatures; see `platformKeys`. */
  readonly keys?: PlatformKeys
  /** How far the time of sending may be from now; default 5 min. */
  readonly toleranceMs?: number
  readonly nowMs?: number
}

const toleranceMsDefault = 5 * 60_000
const signaturesMax = 32
/** A shorter secret could be guessed. */
const secretBytesMin = 16

/**
 * Verifies a call as Standard Webhooks specifies: one `v1` signature (HMAC-SHA256) by one of the secrets, or one `v1a`
 * (Ed25519) by one of the platform's keys, over `id.timestamp.body`, sent within the tolerance. Compares in constant time.
 * Rejects with `TypeError` only if you pass neither secrets nor keys, a malformed secret, no headers, or a parsed body.
 */
export async function verifyWebhook(proof: WebhookProof): Promise<Result<WebhookMessage, WebhookCode>> {
  const options = given('verifyWebhook', proof, ['headers', 'body'])
  const { headers, body, keys, toleranceMs = toleranceMsDefault, nowMs = backend.nowMs() } = options
  const secretKeys = secretsOf(options)
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('body must be the raw bytes or text of the request, before any parser')
  const id = header(headers, 'webhook-id')
  const seconds = header(headers, 'webhook-timestamp')
  const offered = header(headers, 'webhook-signature').split(' ')
  if (id === '' || !/^\d{1,12}$/.test(seconds)) return refuse('invalid_signature')
  if (offered.length > signaturesMax) return refuse('invalid_signature')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = signedBytes(id, seconds, bytes)
  const isProven =
    (await isSignedBySecret(secretKeys, signaturesOf(offered, 'v1'), signed)) ||
    (await isSignedByKey(keys, signaturesOf(offered, 'v1a'), signed))
  if (!isProven) return refuse('invalid_signature')
  const sentAtMs = Number(seconds) * 1000
  if (Math.abs(nowMs - sentAtMs) > toleranceMs) return refuse('timestamp_out_of_range')
  const message = readMessage(bytes)
  return message === undefined ? refuse('invalid_message') : success({ id, sentAtMs, ...message })
}

/** The keys of the secrets. Throws `TypeError` for a malformed secret, and if you pass neither secrets nor keys. */
export function secretsOf({
  secrets,
  keys,
}: Pick<WebhookProof, 'secrets' | 'keys'>): Uint8Array<ArrayBuffer>[] {
  const found = (typeof secrets === 'string' ? [secrets] : (secrets ?? [])).map(secretBytes)
  if (found.length === 0 && keys === undefined) throw new TypeError('secrets or keys must be given')
  if (keys !== undefined && typeof keys !== 'function')
    throw new TypeError('keys must be what platformKeys returns')
  return found
}

const words: Record<WebhookCode, string> = {
  invalid_signature: 'No signature of this call is valid.',
  timestamp_out_of_range: 'This call was sent too long ago, or a clock is wrong.',
  invalid_message: 'This is not a message of the platform.',
}

function refuse<code extends WebhookCode>(code: code) {
  return failure(code, words[code])
}

function header(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return (Array.isArray(value) ? value.join(' ') : (value as string | null | undefined)) ?? ''
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = /^whsec_[A-Za-z0-9+/]+=*$/.test(secret)
    ? base64Bytes(secret.slice('whsec_'.length))
    : undefined
  if (bytes === undefined || bytes.length < secretBytesMin)
    throw new TypeError(`a webhook secret must be whsec_ and base64${flawOf(secret)}`)
  return bytes
}

function base64Bytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return fromBase64(text)
  } catch {
    return undefined
  }
}

function signedBytes(id: string, seconds: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${seconds}.`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

function signaturesOf(given: readonly string[], scheme: 'v1' | 'v1a'): Uint8Array<ArrayBuffer>[] {
  const prefix = `${scheme},`
  return given.flatMap((text) =>
    text.startsWith(prefix) ? (base64Bytes(text.slice(prefix.length)) ?? []) : [],
  )
}

async function isSignedBySecret(
  secrets: readonly Uint8Array<ArrayBuffer>[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['verify'])
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

async function isSignedByKey(
  keys: PlatformKeys | undefined,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (keys === undefined || signatures.length === 0) return false
  for (const key of await keys())
    for (const signature of signatures)
      if (await crypto.subtle.verify('Ed25519', key, signature, signed)) return true
  return false
}

function readMessage(body: Uint8Array): Omit<WebhookMessage, 'id' | 'sentAtMs'> | undefined {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  const { type, timestamp, data } = value
  if (typeof type !== 'string' || typeof timestamp !== 'string' || !isObject(data)) return undefined
  return { type, timestamp, data }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
