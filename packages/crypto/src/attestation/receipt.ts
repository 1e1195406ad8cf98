import { base64UrlBytes } from '../base64.ts'

/** What a signature did, as the enclave decoded it from the bytes that it signed. Amounts are decimal texts. */
export type ReceiptEffect = {
  readonly kind: string
  readonly asset: string | null
  readonly amount: string | null
  readonly to: string | null
}

/** The payload of a receipt, in the names of the API; absent parts are null. */
export type Receipt = {
  readonly version: 1
  readonly mode: 'nitro' | 'simulated'
  readonly receipt_id: string
  readonly organization_id: string
  readonly wallet_id: string
  readonly public_key: string
  readonly curve: 'secp256k1' | 'ed25519'
  readonly network: string | null
  readonly chain: string | null
  readonly type: string
  /** Lower-case hex without 0x: what was signed for secp256k1, the SHA-256 of what was signed for ed25519. */
  readonly digests: readonly string[]
  readonly signature: string
  /** The raw 64 bytes per digest, lower-case hex. */
  readonly signatures: readonly string[]
  readonly effects: readonly ReceiptEffect[]
  /** Lower-case hex of the SHA-256 of the effects' RFC 8785 JSON. */
  readonly effects_sha256: string
  readonly fee: unknown
  readonly decision: unknown
  readonly budget: unknown
  readonly ring_id: string
  /** Rises by one, from 1, per receipt key and organization. */
  readonly counter: number
  /** ISO 8601. */
  readonly issued_at: string
}

/** A receipt taken apart (a compact JWS, RFC 7515); nothing is verified yet. */
export type ReadReceipt = {
  readonly kid: string
  /** Ed25519 (RFC 8037), 64 bytes. */
  readonly signature: Uint8Array
  readonly signed: Uint8Array
  readonly payload: unknown
}

const headerMembers = ['alg', 'kid', 'typ']

/** Reads a receipt, or says why it cannot be one. */
export function readReceipt(jws: string): ReadReceipt | string {
  const [header = '', payload = '', signature = '', ...more] = jws.split('.')
  const fields = json(header)
  const bytes = base64UrlBytes(signature)
  if (!isObject(fields) || more.length > 0) return 'it is not a compact JWS.'
  // A header that it does not know could change what the rest means.
  if (
    fields['alg'] !== 'EdDSA' ||
    fields['typ'] !== 'symbolon-receipt+jws' ||
    !hasExactly(fields, headerMembers)
  )
    return 'its header is not the one of a receipt.'
  const { kid } = fields
  const content = json(payload)
  if (typeof kid !== 'string' || bytes?.length !== 64 || content === undefined)
    return 'it is cut off or changed.'
  return { kid, signature: bytes, signed: new TextEncoder().encode(`${header}.${payload}`), payload: content }
}

/** Whether a payload has exactly the members of a receipt, in their types. */
export function isReceipt(payload: unknown): payload is Receipt {
  return isObject(payload) && hasExactly(payload, Object.keys(members)) && firstWrong(payload) === undefined
}

/** The first member that is missing, unknown or of another type, for people. */
export function wrongMember(payload: unknown): string {
  if (!isObject(payload)) return 'it is no object'
  const unknown = Object.keys(payload).find((name) => !(name in members))
  return unknown ?? firstWrong(payload) ?? ''
}

type Fields = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText: Check = (value) => typeof value === 'string' && value !== ''
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const isOneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
const isList =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const isHex =
  (digits: number): Check =>
  (value) =>
    typeof value === 'string' && value.length === digits && /^[0-9a-f]*$/.test(value)
const isAmount: Check = (value) => typeof value === 'string' && /^(?:0|[1-9]\d*)$/.test(value)
const isCounter: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 1
const isTime: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))

const isEffect: Check = (value) =>
  isObject(value) &&
  hasExactly(value, ['amount', 'asset', 'kind', 'to']) &&
  isText(value['kind']) &&
  orNull(isText)(value['asset']) &&
  orNull(isAmount)(value['amount']) &&
  orNull(isText)(value['to'])

const members: Readonly<Record<keyof Receipt, Check>> = {
  version: isOneOf(1),
  mode: isOneOf('nitro', 'simulated'),
  receipt_id: isText,
  organization_id: isText,
  wallet_id: isText,
  public_key: isText,
  curve: isOneOf('secp256k1', 'ed25519'),
  network: orNull(isText),
  chain: orNull(isText),
  type: isText,
  digests: isList(isHex(64)),
  signature: isText,
  signatures: isList(isHex(128)),
  effects: isList(isEffect),
  effects_sha256: isHex(64),
  fee: orNull(isObject),
  decision: orNull(isObject),
  budget: orNull(isList(isObject)),
  ring_id: isText,
  counter: isCounter,
  issued_at: isTime,
}

const firstWrong = (payload: Fields): string | undefined =>
  Object.entries(members).find(([name, check]) => !check(payload[name]))?.[0]

const hasExactly = (fields: Fields, names: readonly string[]): boolean =>
  Object.keys(fields).length === names.length && names.every((name) => Object.hasOwn(fields, name))

function json(part: string): unknown {
  const bytes = base64UrlBytes(part)
  try {
    return bytes && JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
