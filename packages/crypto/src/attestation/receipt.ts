import { base64UrlBytes } from '../base64.ts'

/** What a signature did, as the enclave decoded it from the bytes that it signed. Amounts are decimal texts. */
export type ReceiptEffect = {
  readonly kind: string
  readonly asset: string | null
  readonly amount: string | null
  readonly to: string | null
}

/** What a signature was allowed by; versions are integers, hashes lower-case hex of a SHA-256. */
export type ReceiptDecision = {
  readonly layers: {
    readonly organization: number | null
    readonly wallet: number | null
    readonly agent: number | null
    readonly session: number | null
  }
  readonly policy_version: number | null
  readonly authorization_sha256: string | null
  readonly approval_sha256: string | null
}

/** What an agent's signature spends of one asset; amounts are decimal texts. */
export type ReceiptBudget = {
  readonly asset: string
  readonly spent_before: string
  readonly spent_after: string
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
  /** As in `decoded_preview`. */
  readonly fee: { readonly asset: string; readonly amount: string } | null
  readonly decision: ReceiptDecision | null
  readonly budget: readonly ReceiptBudget[] | null
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

const isVersion: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0

/** Whether a value is an object of exactly these members, each as its check wants it. */
const isOf =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) &&
    hasExactly(value, Object.keys(checks)) &&
    Object.entries(checks).every(([name, check]) => check(value[name]))

const isEffect = isOf({
  kind: isText,
  asset: orNull(isText),
  amount: orNull(isAmount),
  to: orNull(isText),
})
const isFee = isOf({ asset: isText, amount: isAmount })
const isDecision = isOf({
  layers: isOf({
    organization: orNull(isVersion),
    wallet: orNull(isVersion),
    agent: orNull(isVersion),
    session: orNull(isVersion),
  }),
  policy_version: orNull(isVersion),
  authorization_sha256: orNull(isHex(64)),
  approval_sha256: orNull(isHex(64)),
})
const isBudgetRow = isOf({ asset: isText, spent_before: isAmount, spent_after: isAmount })

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
  fee: orNull(isFee),
  decision: orNull(isDecision),
  budget: orNull(isList(isBudgetRow)),
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
