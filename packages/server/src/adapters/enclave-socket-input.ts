import type { AttestationPolicy } from '@symbolon/crypto/attestation'
import type { ApiKey, MarkSegment, RingState } from '@symbolon/crypto/node'
import type { LoadMarks, RingFault } from '../ports/enclave.ts'
import type { Log } from '../ports/log.ts'

/**
 * `path` is the enclave's unix socket; `policy` says which attested enclave to talk to, `apiKey` is what it knows this side by, and `checkRing` whether its key ring is the
 * installation's: each connection is asked about before it is used. Without it, any ring is. `onBoot` takes the channel key of each attested
 * connection: it is another one after a restart. `loadMarks` brings an enclave that has just started what it left in the database: without it, the enclave serves once
 * somebody else has done so. `onMarks` takes each segment of marks that the enclave gives for the database, `onRolledBack` is called for each answer that a request is older than what the enclave saw.
 */
export type EnclaveSocketInput = {
  path: string
  policy: AttestationPolicy
  apiKey: ApiKey
  checkRing?: (ring: RingState) => Promise<RingFault | undefined>
  onBoot?: (publicKey: Uint8Array) => void
  loadMarks?: LoadMarks
  onMarks?: (segment: MarkSegment) => void
  onRolledBack?: () => void
  log?: Pick<Log, 'info' | 'warn'>
}
