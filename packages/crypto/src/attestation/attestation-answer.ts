import { base64Bytes } from '../base64.ts'
import { jwkThumbprint, type PublicJwk } from '../jwk.ts'
import type { EnclaveImage, EnclaveKey } from './user-data.ts'

/** The answer of `GET /v1/attestation`, in the names of the API. */
export type AttestationAnswer = {
  readonly mode: 'nitro' | 'simulated'
  /** The COSE_Sign1 document, base64. */
  readonly document: string
  readonly ring_id: string
  readonly image: EnclaveImage
  readonly keys: readonly EnclaveKey[]
  /** The manifest that the enclave runs under, as JSON. */
  readonly manifest: unknown
}

/** The answer of `GET /v1/attestation/keys/{kid}`: the attestation made when a receipt key was made. */
export type KeyAttestationAnswer = AttestationAnswer & EnclaveKey & { readonly attested_at: string }

/** An answer that was read, and its document's bytes. `kid` is there in the attestation of one receipt key. */
export type ReadAttestation = {
  readonly answer: AttestationAnswer
  readonly document: Uint8Array
  readonly kid: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isPcr = (value: unknown): boolean => isText(value) && /^[0-9a-f]{96}$/.test(value)

const refused = (what: string): TypeError => new TypeError(`This is not an attestation of the API: ${what}.`)

/**
 * Reads an attestation as the API answers it, with or without its envelope. Throws `TypeError` for anything else: somebody
 * passed the wrong thing, which says nothing about the enclave.
 */
export function readAttestation(given: unknown): ReadAttestation {
  const answer = withoutEnvelope(given)
  if (!isObject(answer)) throw refused('it is no object')
  const { mode, ring_id, image, keys, manifest, kid } = answer
  const document = base64Bytes(answer['document'])
  if (mode !== 'nitro' && mode !== 'simulated') throw refused('its mode is neither nitro nor simulated')
  if (document === undefined || !isText(answer['document'])) throw refused('its document is not base64')
  if (!isText(ring_id) || ring_id === '') throw refused('it has no ring_id')
  if (!isImage(image)) throw refused('its image has no version and registers')
  if (!Array.isArray(keys) || !keys.every(isKey)) throw refused('its keys are malformed')
  if (manifest === undefined) throw refused('it has no manifest')
  if (kid !== undefined && !isText(kid)) throw refused('its kid is malformed')
  return { answer: { mode, document: answer['document'], ring_id, image, keys, manifest }, document, kid }
}

function withoutEnvelope(given: unknown): unknown {
  if (!isObject(given) || !('data' in given)) return given
  const { data, error } = given
  if (data === null && isObject(error)) throw refused(`it is the error ${error['code']}`)
  return data
}

const isImage = (image: unknown): image is EnclaveImage =>
  isObject(image) &&
  isText(image['version']) &&
  [image['pcr0'], image['pcr1'], image['pcr2']].every(isPcr) &&
  (image['pcr8'] === null || isPcr(image['pcr8']))

function isKey(key: unknown): key is EnclaveKey {
  if (!isObject(key) || !isText(key['kid'])) return false
  return (
    (key['use'] === 'channel' || key['use'] === 'import' || key['use'] === 'receipt') && isJwk(key['jwk'])
  )
}

const curves: readonly unknown[] = ['X25519', 'Ed25519', 'P-256'] satisfies readonly PublicJwk['crv'][]

const isJwk = (jwk: unknown): jwk is PublicJwk =>
  isObject(jwk) &&
  (jwk['kty'] === 'OKP' || jwk['kty'] === 'EC') &&
  curves.includes(jwk['crv']) &&
  isText(jwk['x']) &&
  (jwk['y'] === undefined || isText(jwk['y']))

const curveOfUse = { channel: 'X25519', import: 'P-256', receipt: 'Ed25519' } as const

/** Whether a key is of the curve that its use needs, and its `kid` its own thumbprint. */
export const isOwnKid = ({ kid, use, jwk }: EnclaveKey): boolean =>
  jwk.crv === curveOfUse[use] && jwkThumbprint(jwk) === kid
