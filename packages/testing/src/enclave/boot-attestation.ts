import { readFileSync } from 'node:fs'
import type { KeyAttestationAnswer } from '@symbolon/crypto/attestation'
import type { Enclave } from '@symbolon/server/testing/ports'
import type { EnclaveProcess } from './enclave-process.ts'

/** What verifies the receipts of an enclave's boot: as `GET /v1/attestation/keys/{kid}` has it, the root, and the ring. */
export async function bootAttestation(
  { rootPath }: Pick<EnclaveProcess, 'rootPath'>,
  enclave: Pick<Enclave, 'attest'>,
): Promise<{ attestation: KeyAttestationAnswer; simulatedRoot: Uint8Array; ringId: string }> {
  const { state, document } = await enclave.attest(null)
  const answer: Pick<KeyAttestationAnswer, 'ring_id' | 'image' | 'keys' | 'manifest'> = JSON.parse(state)
  const key = answer.keys.find(({ use }) => use === 'receipt')
  if (key === undefined) throw new Error('The enclave attests no receipt key.')
  return {
    attestation: {
      ...key,
      ...answer,
      mode: 'simulated',
      document: Buffer.from(document).toString('base64'),
      attested_at: new Date().toISOString(),
    },
    simulatedRoot: readFileSync(rootPath),
    ringId: answer.ring_id,
  }
}
