import { timingSafeEqual, verify } from 'node:crypto'
import { AttestationError } from './attestation-error.ts'
import { verifyChain } from './chain.ts'
import { parseCose } from './cose.ts'
import { type AttestationDocument, parseDocument } from './document.ts'
import type { AttestationPolicy, Measurements } from './policy.ts'

/** What this document is verified against; `now` is Unix time in ms. Its key has 32 bytes (X25519) unless stated otherwise. */
export type AttestationChallenge = {
  nonce: Uint8Array
  userData: Uint8Array
  now: number
  publicKeyBytes?: number
}

/** What a verified document proves. */
export type AttestedEnclave = {
  /** The key of this boot that the document is about. */
  publicKey: Uint8Array
  simulated: boolean
  /** PCR index to hex, all-zero registers left out. */
  measurements: Record<string, string>
}

const channelKeyBytes = 32

const equals = (a: Uint8Array | undefined, b: Uint8Array): boolean =>
  a !== undefined && a.length === b.length && timingSafeEqual(a, b)
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const isZero = (bytes: Uint8Array | undefined): boolean =>
  bytes === undefined || bytes.every((byte) => byte === 0)

/**
 * Verifies an attestation document in the AWS Nitro format against a policy and a challenge of this connection.
 * Throws `AttestationError`, whose code names the check that failed.
 */
export function verifyAttestation(
  bytes: Uint8Array,
  policy: AttestationPolicy,
  challenge: AttestationChallenge,
): AttestedEnclave {
  const cose = parseCose(bytes)
  const document = parseDocument(cose.payload)
  const key = verifyChain({
    leaf: document.certificate,
    bundle: document.bundle,
    rootSha256: policy.rootSha256,
    at: challenge.now,
  })
  if (!verify('sha384', cose.signed, { key, dsaEncoding: 'ieee-p1363' }, cose.signature)) {
    throw new AttestationError('cose_signature')
  }
  verifyTime(document, policy, challenge.now)
  verifyMeasurements(document, policy.measurements)
  if (!equals(document.nonce, challenge.nonce)) throw new AttestationError('nonce_mismatch')
  if (!equals(document.userData, challenge.userData)) throw new AttestationError('binding_mismatch')
  const { publicKey } = document
  if (publicKey?.length !== (challenge.publicKeyBytes ?? channelKeyBytes))
    throw new AttestationError('public_key')
  const measured = [...document.measurements].filter(([, register]) => !isZero(register))
  return {
    publicKey,
    simulated: policy.simulated,
    measurements: Object.fromEntries(measured.map(([index, register]) => [String(index), hex(register)])),
  }
}

function verifyTime(document: AttestationDocument, policy: AttestationPolicy, now: number): void {
  if (document.timestampMs > now + policy.skewMaxMs) throw new AttestationError('document_future')
  if (now - document.timestampMs > policy.ageMaxMs) throw new AttestationError('document_stale')
}

function verifyMeasurements(document: AttestationDocument, allowed: readonly Measurements[]): void {
  // An enclave in debug mode has a console and zero registers.
  if ([0, 1, 2].some((index) => isZero(document.measurements.get(index))))
    throw new AttestationError('debug_mode')
  const matches = (set: Measurements) =>
    Object.entries(set).every(([index, value]) =>
      equals(document.measurements.get(Number(index)), Buffer.from(value, 'hex')),
    )
  if (!allowed.some(matches)) throw new AttestationError('measurement_mismatch')
}
