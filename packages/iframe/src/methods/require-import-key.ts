import { equalBytes } from '@symbolon/crypto'
import { verifyAttestation } from '@symbolon/crypto/attestation'
import { fromBase64, toBase64 } from '@symbolon/networks/request'
import { FrameFailure } from '../frame-failure.ts'
import type { Vault } from './vault.ts'

const nonceBytes = 32

/**
 * Resolves only where the platform's enclave attests, for a nonce made here and now, that this import key (65 bytes, P-256) is its own:
 * root, certificates, measurements, age, key ring and keys. Rejects with `enclave_unverified` otherwise; the platform's word for a key is
 * not enough, since whoever can change its answers would get the private key.
 */
export async function requireImportKey(
  { api, random, nowMs, enclave }: Pick<Vault, 'api' | 'random' | 'nowMs' | 'enclave'>,
  importKey: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const refused = (codes: readonly string[]) =>
    new FrameFailure('enclave_unverified', { details: { findings: [...codes] } })
  if (enclave?.ring_id == null) throw refused(['ring_mismatch'])
  const nonce = random(nonceBytes)
  const asked = toBase64(nonce).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const answer = await api({ method: 'GET', path: `/v1/attestation?nonce=${asked}`, signal })
  const { verdict, findings, attestation } = await verifyAttestation({
    attestation: answer,
    nonce,
    nowMs: nowMs(),
    ringId: enclave.ring_id,
    measurements: enclave.measurements,
    isSimulatedAllowed: enclave.simulated_root !== null,
    simulatedRoot: enclave.simulated_root === null ? undefined : fromBase64(enclave.simulated_root),
  }).catch((error: unknown) => {
    throw error instanceof TypeError ? refused(['signature_invalid']) : error
  })
  if (verdict !== 'verified') throw refused(findings.map(({ code }) => code))
  const isAttested = attestation.keys.some(({ use, jwk }) => use === 'import' && isPoint(jwk, importKey))
  if (!isAttested) throw refused(['user_data_mismatch'])
}

/** Whether a JWK on P-256 is this uncompressed point. */
function isPoint(
  { x, y = '' }: { readonly x: string; readonly y?: string | undefined },
  point: Uint8Array,
): boolean {
  const [first, second] = [x, y].map((text) =>
    fromBase64(`${text.replaceAll('-', '+').replaceAll('_', '/')}=`),
  )
  if (first === undefined || second === undefined) return false
  return equalBytes(Uint8Array.of(4, ...first, ...second), point)
}
