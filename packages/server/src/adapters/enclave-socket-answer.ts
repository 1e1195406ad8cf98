import { enclaveStatuses } from '@symbolon/crypto/node'
import { EnclaveError, type EnclaveErrorCode } from '../ports/enclave.ts'

const codes = new Map<number, EnclaveErrorCode>([
  [enclaveStatuses.invalid_payload, 'invalid_payload'],
  [enclaveStatuses.key_mismatch, 'key_mismatch'],
  [enclaveStatuses.refused, 'refused'],
  [enclaveStatuses.expired, 'expired'],
])

/** The error that a status byte stands for, `undefined` for success; what is not known is `unavailable`. */
export function answerError(status: number): EnclaveError | undefined {
  if (status === enclaveStatuses.ok) return undefined
  return new EnclaveError(codes.get(status) ?? 'unavailable', `status ${status}`)
}
