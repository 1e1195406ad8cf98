import * as z from 'zod'
import { Timestamp } from '../formats.ts'
import type { Route } from '../route.ts'

const Register = z.string().regex(/^[0-9a-f]{96}$/, 'not 48 bytes of lower-case hex')
const Thumbprint = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'not an RFC 7638 thumbprint')

/** A public key of the enclave's boot. */
const EnclaveKey = z
  .strictObject({
    kid: Thumbprint.meta({ description: 'The RFC 7638 thumbprint of `jwk`.' }),
    use: z.enum(['channel', 'import', 'receipt']),
    jwk: z.strictObject({
      kty: z.enum(['OKP', 'EC']),
      crv: z.enum(['X25519', 'P-256', 'Ed25519']),
      x: z.string(),
      y: z.string().optional(),
    }),
  })
  .meta({ id: 'EnclaveKey' })

const members = {
  mode: z.enum(['nitro', 'simulated']),
  document: z.string().meta({ description: 'The attestation document (COSE_Sign1), base64.' }),
  ring_id: Thumbprint.meta({ description: "The id of the enclave's key ring." }),
  image: z.strictObject({
    version: z.string(),
    pcr0: Register,
    pcr1: Register,
    pcr2: Register,
    pcr8: Register.nullable(),
  }),
  keys: z.array(EnclaveKey),
  manifest: z.unknown().meta({
    description:
      'The manifest that the enclave serves under: which API keys, operators and images its ring trusts. Its hash is in the user data.',
  }),
}

/** A public attestation of the enclave. */
export const Attestation = z.strictObject(members).meta({ id: 'Attestation' })

/** A public attestation as the API returns it. */
export type Attestation = z.output<typeof Attestation>

/** The attestation that was made for one receipt key. */
export const KeyAttestation = z
  .strictObject({ ...EnclaveKey.shape, ...members, attested_at: Timestamp })
  .meta({ id: 'KeyAttestation' })

/** The attestation of a receipt key as the API returns it. */
export type KeyAttestation = z.output<typeof KeyAttestation>

/** 16 to 64 bytes in base64url without padding, in its one spelling. */
const Nonce = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22,86}$/, 'must be 16 to 64 bytes of base64url without padding')
  .refine(isCanonical, 'must be base64url without padding in its only spelling')

function isCanonical(text: string): boolean {
  const unused = (text.length * 6) % 8
  if (unused === 6) return false
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return (alphabet.indexOf(text.at(-1) ?? '') & ((1 << unused) - 1)) === 0
}

/** What the enclave is, proven for a nonce. */
export const getAttestation = {
  id: 'attestation.get',
  method: 'GET',
  path: '/v1/attestation',
  lane: 'public',
  summary: 'Read an attestation of the enclave',
  description:
    'Anybody can check what the enclave runs: the document is made for your `nonce`, and its user data is the SHA-256 of the RFC 8785 JSON of `{ring_id, image, keys, manifest_sha256}`. Verify it with `node verify.js attestation <url>` (guide: Verify the enclave).',
  query: z.strictObject({ nonce: Nonce }),
  status: 200,
  data: Attestation,
  errors: ['unavailable'],
  limit: 'attestation',
  cors: 'any',
  answerLimitMs: 10_000,
} as const satisfies Route

/** The attestation of a receipt key. */
export const getKeyAttestation = {
  id: 'attestation.getKey',
  method: 'GET',
  path: '/v1/attestation/keys/{kid}',
  lane: 'public',
  summary: 'Read the attestation of a receipt key',
  description:
    'The attestation that was made when the key was made, so that receipts can be verified after the enclave has restarted. The nonce of its document is the SHA-256 of `kid`.',
  params: z.strictObject({ kid: Thumbprint }),
  status: 200,
  data: KeyAttestation,
  errors: ['unavailable'],
  limit: 'attestation',
  cors: 'any',
} as const satisfies Route
