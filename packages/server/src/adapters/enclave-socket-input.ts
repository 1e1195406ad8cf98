import type { AttestationPolicy } from '@symbolon/crypto/attestation'
import type { Log } from '../ports/log.ts'

/** `path` is the enclave's unix socket; `policy` says which attested enclave to talk to. */
export type EnclaveSocketInput = {
  path: string
  policy: AttestationPolicy
  log?: Pick<Log, 'info' | 'warn'>
}
