import type { KeyObject } from 'node:crypto'
import { canonicalJson } from '../../canonical-json.ts'
import { jwkThumbprint, type PublicJwk } from '../../jwk.ts'
import { areOperatorSignatures, type Manifest } from '../manifest/manifest.ts'
import {
  byKid,
  isOperatorSignature,
  type OperatorSignature,
  signAsOperator,
} from '../manifest/operator-signature.ts'

/** What operators may order of an enclave, and who must have signed it: one of them, or `quorum.k` of the manifest. */
export const operatorOrders = {
  rotate: 'one',
  seal: 'one',
  accept_state: 'quorum',
} as const satisfies Record<string, 'one' | 'quorum'>
/** The name of an order. */
export type OperatorOrderName = keyof typeof operatorOrders

/**
 * An order for one boot of one ring's enclave. `boot_key` is the RFC 7638 thumbprint of the boot's channel key, `number` is higher than that of the
 * last order this boot executed. An order's own parameters stand beside these members.
 */
export type OperatorOrder = {
  readonly version: 1
  readonly order: OperatorOrderName
  readonly ring_id: string
  readonly boot_key: string
  readonly number: number
  readonly [parameter: string]: unknown
}

/** An order with its operators' signatures, in the order of their kids. */
export type SignedOrder = {
  readonly statement: OperatorOrder
  readonly signatures: readonly OperatorSignature[]
}

/** What an operator's command says to the enclave: an order, or the question for what the next one must name. */
export type OperatorMessage = SignedOrder | { readonly ask: 'state' }

/**
 * What a boot began with: its manifest (hash as `manifestSha256`), the newest version of its ring, and the freshness marks that it loaded (number of the last
 * segment, 0 for none; `root` in lower-case hex).
 */
export type BootState = {
  readonly manifest_sha256: string
  readonly ring_version: number
  readonly snapshot: { readonly number: number; readonly root: string }
}

/**
 * The answer to that question: ring and boot of the enclave, the lowest number that the next order may have, and what the boot began with. While `is_waiting`,
 * sessions from before the boot sign nothing: operators have yet to accept that.
 */
export type OperatorState = BootState & {
  readonly ring_id: string
  readonly boot_key: string
  readonly number: number
  readonly is_waiting: boolean
}

/** Reads what a boot began with: exactly the members of the type. Undefined for anything else. */
export function readBootState(value: unknown): BootState | undefined {
  if (!isObject(value) || !hasOnly(value, ['manifest_sha256', 'ring_version', 'snapshot'])) return undefined
  const { manifest_sha256: hash, ring_version: version, snapshot } = value
  const isSnapshot =
    isObject(snapshot) &&
    hasOnly(snapshot, ['number', 'root']) &&
    Number.isSafeInteger(snapshot['number']) &&
    isSha256(snapshot['root'])
  return isSha256(hash) && Number.isSafeInteger(version) && isSnapshot ? (value as BootState) : undefined
}

const textPrefix = 'symbolon enclave order v1\0'

/** The bytes that operators sign: a text of its own, then the RFC 8785 JSON of the order. */
export const orderText = (statement: OperatorOrder): Uint8Array =>
  Buffer.from(`${textPrefix}${canonicalJson(statement)}`)

/** An order, signed by these operators' private keys on P-256. */
export const signOrder = (statement: OperatorOrder, signers: readonly KeyObject[]): SignedOrder => ({
  statement,
  signatures: signers.map((signer) => signAsOperator(orderText(statement), signer)).sort(byKid),
})

/** How many operators of a manifest sign an order that wants these signers. */
export const signersMin = (signers: 'one' | 'quorum', { quorum }: Pick<Manifest, 'quorum'>): number =>
  signers === 'one' ? 1 : quorum.k

/** How many of these operators signed; undefined where a signature is not by one of them, or does not verify. */
export function orderSigners(
  { statement, signatures }: SignedOrder,
  operators: readonly PublicJwk[],
): number | undefined {
  const keys = new Map(operators.map((jwk) => [jwkThumbprint(jwk), jwk]))
  const text = orderText(statement)
  // The reader lets each kid stand once.
  const areTheirs = signatures.every(({ kid, signature }) => {
    const operator = keys.get(kid)
    return operator !== undefined && isOperatorSignature(text, signature, operator)
  })
  return areTheirs ? signatures.length : undefined
}

/** The bytes of a message. */
export const formatOperatorMessage = (message: OperatorMessage): Uint8Array =>
  Buffer.from(canonicalJson(message))

/** Reads a message: exactly the members of its type, but for an order's parameters, which are for the reader of that order. Undefined for anything else. */
export function readOperatorMessage(bytes: Uint8Array): OperatorMessage | undefined {
  const message = parsed(bytes)
  if (!isObject(message)) return undefined
  const { ask, statement, signatures } = message
  if (hasOnly(message, ['ask']) && ask === 'state') return { ask }
  if (!hasOnly(message, ['statement', 'signatures'])) return undefined
  return isOrder(statement) && areOperatorSignatures(signatures) ? { statement, signatures } : undefined
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const hasOnly = (value: Fields, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name)) &&
  names.every((name) => Object.hasOwn(value, name))

const isSha256 = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

const isThumbprint = (value: unknown): boolean =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value)

function isOrder(value: unknown): value is OperatorOrder {
  if (!isObject(value)) return false
  const { version, order, ring_id, boot_key, number } = value
  const isNamed = typeof order === 'string' && Object.hasOwn(operatorOrders, order)
  const isCounted = Number.isSafeInteger(number) && Number(number) >= 1
  return version === 1 && isNamed && isCounted && isThumbprint(ring_id) && isThumbprint(boot_key)
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
