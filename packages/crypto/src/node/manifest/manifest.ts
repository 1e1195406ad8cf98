import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { EnclaveImage } from '../../attestation/user-data.ts'
import { base64UrlBytes } from '../../base64.ts'
import { jwkThumbprint, type PublicJwk } from '../../jwk.ts'
import type { OperatorSignature } from './operator-signature.ts'

/** The settings that an enclave takes from its manifest alone. Hashes are lower-case hex of SHA-256; null where nothing is set. */
export type ManifestConfiguration = {
  readonly state_acceptance: 'operators' | 'automatic'
  readonly base_url: string | null
  readonly frame_url: string | null
  readonly frame_sha256: string | null
  readonly chains_sha256: string | null
  readonly tokens_sha256: string | null
  readonly clear_signing_root: string | null
  readonly price_keys: readonly PublicJwk[]
}

/** What a manifest says of a ring, without its place in the chain and its signatures. */
export type ManifestContent = {
  readonly images: readonly EnclaveImage[]
  /** X25519: who may open a channel. */
  readonly api_keys: readonly PublicJwk[]
  /** P-256: who signs the next manifest, `quorum.k` of them at least; `quorum.n` is their number. */
  readonly operators: readonly PublicJwk[]
  readonly quorum: { readonly k: number; readonly n: number }
  readonly configuration: ManifestConfiguration
}

/** A manifest: whom the enclaves of a ring trust. `previous_sha256` is the `manifestSha256` of the version before, null in version 1. */
export type Manifest = ManifestContent & {
  readonly version: number
  readonly ring_id: string
  readonly previous_sha256: string | null
  /** In the order of their kids; none in version 1, which the ring itself vouches for. */
  readonly signatures: readonly OperatorSignature[]
}

/** A manifest that does not have its form, or not its place in the chain. The message is a sentence. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}

/** How many keys of a kind, signatures and images a manifest names at most. */
export const manifestLimits = { keys: 16, images: 32 } as const

type Check = (value: unknown) => boolean
type Fields = Readonly<Record<string, unknown>>

const text =
  (shape: RegExp): Check =>
  (value) =>
    typeof value === 'string' && shape.test(value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const thumbprint = text(/^[A-Za-z0-9_-]{43}$/)
const sha256 = text(/^[0-9a-f]{64}$/)
const register = text(/^[0-9a-f]{96}$/)
const url = text(/^https?:\/\/[\x21-\x7e]{1,2040}$/)
const count = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object with these members and no other. */
const exactly =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && wrongMember(value, members) === undefined

function wrongMember(value: Fields, members: Readonly<Record<string, Check>>): string | undefined {
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(members, name))
  if (unknown !== undefined) return 'a member that it may not have'
  return Object.keys(members).find((name) => !Object.hasOwn(value, name) || !members[name]?.(value[name]))
}

const list =
  (check: Check, min: number, max: number): Check =>
  (value) =>
    Array.isArray(value) && value.length >= min && value.length <= max && value.every(check)

const coordinate: Check = (value) => base64UrlBytes(value)?.length === 32
const x25519 = exactly({ kty: (value) => value === 'OKP', crv: (value) => value === 'X25519', x: coordinate })
const p256Members = exactly({
  kty: (value) => value === 'EC',
  crv: (value) => value === 'P-256',
  x: coordinate,
  y: coordinate,
})

/** A key whose point is on the curve. */
const p256: Check = (value) => {
  if (!p256Members(value)) return false
  try {
    createPublicKey({ key: value as JsonWebKey, format: 'jwk' })
    return true
  } catch {
    return false
  }
}

/** Keys of one kind, each once. */
const keys = (check: Check, min: number): Check => {
  const isList = list(check, min, manifestLimits.keys)
  return (value) =>
    isList(value) && new Set((value as PublicJwk[]).map(jwkThumbprint)).size === (value as unknown[]).length
}

const signature = exactly({ kid: thumbprint, signature: (value) => base64UrlBytes(value)?.length === 64 })
/** Signatures of operators in the order of their kids, each kid once. */
const signatures: Check = (value) => {
  if (!list(signature, 0, manifestLimits.keys)(value)) return false
  const kids = (value as OperatorSignature[]).map(({ kid }) => kid)
  return kids.every((kid, i) => i === 0 || kid > (kids[i - 1] ?? ''))
}

const configuration = exactly({
  state_acceptance: text(/^(operators|automatic)$/),
  base_url: orNull(url),
  frame_url: orNull(url),
  frame_sha256: orNull(sha256),
  chains_sha256: orNull(sha256),
  tokens_sha256: orNull(sha256),
  clear_signing_root: orNull(sha256),
  price_keys: keys((value) => x25519(value) || p256(value), 0),
})

const image = exactly({
  version: text(/^[\x21-\x7e]{1,64}$/),
  pcr0: register,
  pcr1: register,
  pcr2: register,
  pcr8: orNull(register),
})

const members: Readonly<Record<keyof Manifest, Check>> = {
  version: count,
  ring_id: thumbprint,
  images: list(image, 0, manifestLimits.images),
  api_keys: keys(x25519, 1),
  operators: keys(p256, 1),
  quorum: exactly({ k: count, n: count }),
  signatures,
  configuration,
  previous_sha256: orNull(sha256),
}

/**
 * Reads a manifest from parsed JSON: exactly the members of the type, each in its bounds, keys on their curves and each once, `k` at most `n`, `n`
 * the number of operators. Says nothing about signatures and chain. Throws `ManifestError`.
 */
export function readManifest(value: unknown): Manifest {
  if (!isObject(value)) throw new ManifestError('The manifest is not an object.')
  const wrong = wrongMember(value, members)
  if (wrong !== undefined) throw new ManifestError(`The manifest is malformed: ${wrong}.`)
  const manifest = value as Manifest
  const { k, n } = manifest.quorum
  if (k > n || n !== manifest.operators.length) throw new ManifestError('The manifest is malformed: quorum.')
  return manifest
}

/** Whether these are signatures as they stand beside a manifest or an order: 16 at most, in the order of their kids, each kid once. */
export const areOperatorSignatures = (value: unknown): value is readonly OperatorSignature[] =>
  signatures(value)

/** Whether this is a public key on X25519 as a manifest names one: `{kty, crv, x}` and nothing more. */
export const isApiJwk = (value: unknown): value is PublicJwk => x25519(value)

/** Whether this is an operator's public key, as a manifest names one: `{kty, crv, x, y}` on P-256 and nothing more. */
export const isOperatorJwk = (value: unknown): value is PublicJwk => p256(value)
