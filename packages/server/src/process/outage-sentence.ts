import { AttestationError, findingOf } from '@symbolon/crypto/attestation'
import { KmsError } from '../ports/kms.ts'

const causesMax = 6

/** What the log says of a lost component: that it is out of reach, unless the error or one of its causes knows better. */
export function outageSentence(component: string, error: unknown): string {
  for (let cause = error, i = 0; cause instanceof Error && i < causesMax; cause = cause.cause, i++) {
    if (cause instanceof AttestationError)
      return `${component} does not attest as ENCLAVE_MEASUREMENTS expects: ${findingOf(cause).message}`
    if (cause instanceof KmsError && cause.fault !== undefined) return cause.message
  }
  return `${component} is out of reach`
}
