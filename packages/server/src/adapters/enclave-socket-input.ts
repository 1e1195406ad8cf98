import type { Log } from '../ports/log.ts'
import type { AttestationPolicy } from './attestation/policy.ts'

/** `path` is the enclave's unix socket; `policy` says which attested enclave to talk to. */
export type EnclaveSocketInput = {
  path: string
  policy: AttestationPolicy
  log?: Pick<Log, 'info' | 'warn'>
}
