import {
  type VerifiedAttestation,
  type VerifyAttestationOptions,
  verifyAttestation as verifyAttestationAt,
} from '@symbolon/crypto/attestation'
import { backend } from '../adapters/backend.ts'
import { given } from '../given.ts'

/**
 * Verifies an attestation that you asked for with a nonce of your own, without trusting who carried it: who signed it, how fresh it
 * is, which image the enclave runs, and that ring, keys and manifest are the enclave's. `nowMs` is the time now unless stated
 * otherwise. Rejects with `TypeError` for what is not an attestation.
 *
 * @example
 * const nonce = crypto.getRandomValues(new Uint8Array(32))
 * const { verdict, findings } = await verifyAttestation({ attestation, nonce, ringId, measurements })
 */
export async function verifyAttestation(
  options: Omit<VerifyAttestationOptions, 'nowMs'> & { readonly nowMs?: number | undefined },
): Promise<VerifiedAttestation> {
  given('verifyAttestation', options, ['attestation'])
  return verifyAttestationAt({ ...options, nowMs: options.nowMs ?? backend.nowMs() })
}
