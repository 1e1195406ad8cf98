import { AttestationError } from '@symbolon/crypto/attestation'
import { expect, test } from 'vitest'
import { EnclaveError } from '../ports/enclave.ts'
import { KmsError } from '../ports/kms.ts'
import { outageSentence } from './outage-sentence.ts'

test.each<[string, unknown, string]>([
  ['enclave', undefined, 'enclave is out of reach'],
  ['enclave', new EnclaveError('unavailable', new Error('ENOENT')), 'enclave is out of reach'],
  [
    'enclave',
    new Error('failed', { cause: new EnclaveError('unavailable', new AttestationError('root_mismatch')) }),
    'enclave does not attest as ENCLAVE_MEASUREMENTS expects: The certificates lead to a root that is not trusted.',
  ],
  [
    'enclave',
    new EnclaveError('unavailable', new AttestationError('measurement_mismatch', 'PCR 0')),
    'enclave does not attest as ENCLAVE_MEASUREMENTS expects: The measurements are not those of the expected image: PCR 0.',
  ],
  [
    'kms',
    new KmsError('unavailable', undefined, { reason: 'key_foreign', purpose: 'tee-b' }),
    'The key management service has other keys than the database names (tee-b).',
  ],
])('%s: %o is said as it is', (component, error, says) => {
  expect(outageSentence(component, error)).toBe(says)
})
