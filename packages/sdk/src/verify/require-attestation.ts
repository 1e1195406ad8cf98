import {
  type AttestationReport,
  type ExpectedEnclave,
  type VerifiedAttestation,
  verifyAttestation,
} from '@symbolon/crypto/attestation'
import { backend } from '../adapters/backend.ts'
import { given } from '../given.ts'
import { type AttestationSource, fetchAttestation } from './fetch-attestation.ts'

/** Whom to ask, and which enclave must answer. The ring is required: without it, any enclave of this image would do. */
export type RequireAttestationOptions = AttestationSource & ExpectedEnclave & { readonly ringId: string }

/** Thrown where an enclave is not the one that was expected; the report says why. */
export class AttestationRefusedError extends Error {
  override readonly name = 'AttestationRefusedError'
  readonly report: AttestationReport

  constructor(report: AttestationReport) {
    super(`The enclave is not the expected one: ${report.findings.map(({ code }) => code).join(', ')}.`)
    this.report = report
  }
}

/**
 * Asks a platform for its attestation with a fresh nonce and resolves only where the enclave is the expected one, with what it
 * attested. Rejects with `AttestationRefusedError` for every verdict but `verified`, and with `AttestationUnavailableError`.
 *
 * @example
 * await requireAttestation({ baseUrl: 'https://wallets.example.com', ringId, measurements: [{ 0: pcr0, 1: pcr1, 2: pcr2 }] })
 */
export async function requireAttestation(options: RequireAttestationOptions): Promise<VerifiedAttestation> {
  const { baseUrl, fetch, ...expected } = given('requireAttestation', options, ['baseUrl', 'ringId'])
  const { attestation, nonce } = await fetchAttestation({ baseUrl, fetch })
  const report = await verifyAttestation({ attestation, nonce, nowMs: backend.nowMs(), ...expected })
  if (report.verdict !== 'verified') throw new AttestationRefusedError(report)
  return report
}
