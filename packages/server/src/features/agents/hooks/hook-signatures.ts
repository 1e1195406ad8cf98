import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The scheme that a hook's deliveries are signed by. */
export type HookStyle = 'standard' | 'stripe' | 'github'

/** A delivery as received; header names in lower case. */
export type Delivery = {
  headers: Readonly<Record<string, string | string[] | undefined>>
  rawBody: Uint8Array
}

const skewMs = 300_000
const idLengthMax = 255

/**
 * The id of a delivery that one of the secrets has signed over its raw body, at most 300 s from `nowMs`; undefined for any other. GitHub
 * does not sign its delivery id and time, so that there the body itself is the id.
 *
 * `standard`: Standard Webhooks 1.0 (`v1`). `stripe`: `Stripe-Signature`, scheme `v1`. `github`: `X-Hub-Signature-256`.
 */
export function signedDelivery(
  style: HookStyle,
  { headers, rawBody }: Delivery,
  secrets: readonly string[],
  nowMs: number,
): string | undefined {
  const header = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  if (style === 'standard') return standardDelivery(header, rawBody, secrets, nowMs)
  return style === 'stripe'
    ? stripeDelivery(header, rawBody, secrets, nowMs)
    : githubDelivery(header, rawBody, secrets)
}

type Header = (name: string) => string | undefined

function standardDelivery(header: Header, rawBody: Uint8Array, secrets: readonly string[], nowMs: number) {
  const id = header('webhook-id') ?? ''
  const timestamp = header('webhook-timestamp') ?? ''
  // The signed text is `id.timestamp.body`: with a dot in the id, a signature would be valid for another id, time and body too.
  if (id === '' || id.length > idLengthMax || id.includes('.') || !isRecent(timestamp, nowMs))
    return undefined
  const given = (header('webhook-signature') ?? '')
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice(3), 'base64'))
  const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
  return isSigned(given, keys, [`${id}.${timestamp}.`, rawBody]) ? id : undefined
}

function stripeDelivery(header: Header, rawBody: Uint8Array, secrets: readonly string[], nowMs: number) {
  const parts = (header('stripe-signature') ?? '').split(',').map((part) => part.trim().split('='))
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!isRecent(timestamp, nowMs)) return undefined
  const given = parts.filter(([name]) => name === 'v1').map(([, hex = '']) => Buffer.from(hex, 'hex'))
  return isSigned(given, secrets, [`${timestamp}.`, rawBody])
    ? (eventId(rawBody) ?? hashOf(rawBody))
    : undefined
}

function githubDelivery(header: Header, rawBody: Uint8Array, secrets: readonly string[]) {
  const [, hex = ''] = /^sha256=([0-9a-f]{64})$/.exec(header('x-hub-signature-256') ?? '') ?? []
  return isSigned([Buffer.from(hex, 'hex')], secrets, [rawBody]) ? hashOf(rawBody) : undefined
}

function isRecent(timestamp: string, nowMs: number): boolean {
  return /^[0-9]{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) * 1_000 - nowMs) <= skewMs
}

/** Compares every pair in constant time. */
function isSigned(
  given: readonly Buffer[],
  keys: readonly (string | Buffer)[],
  content: readonly (string | Uint8Array)[],
): boolean {
  const expected = keys.map((key) => {
    const hmac = createHmac('sha256', key)
    for (const part of content) hmac.update(part)
    return hmac.digest()
  })
  return expected.some((digest) => given.some((one) => one.length === 32 && timingSafeEqual(one, digest)))
}

/** Stripe's events have an id of their own. */
function eventId(rawBody: Uint8Array): string | undefined {
  try {
    const event: unknown = JSON.parse(Buffer.from(rawBody).toString('utf8'))
    const id = typeof event === 'object' && event !== null && 'id' in event ? event.id : undefined
    return typeof id === 'string' && /^[\x21-\x7e]{1,255}$/.test(id) ? id : undefined
  } catch {
    return undefined
  }
}

const hashOf = (rawBody: Uint8Array) => `sha256:${createHash('sha256').update(rawBody).digest('hex')}`
