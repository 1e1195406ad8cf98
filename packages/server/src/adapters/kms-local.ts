import { EnvelopeError, type EnvelopeErrorCode, KeyFileError, openKeyFile } from '@symbolon/crypto/node'
import { type Kms, KmsError, type KmsErrorCode } from '../ports/kms.ts'
import { apiPurposes } from './kms/key-service.ts'

/**
 * A KMS in one key file of mode 0600, made when absent and shared by all processes of the machine: a rotation by one
 * is seen by the others at their next call. Throws `KeyFileError` when the file exists and is unfit, or readable by
 * others.
 */
export function kmsLocal(path: string): Kms {
  const file = openKeyFile(path, apiPurposes)
  return {
    generateDataKey: (purpose, context) =>
      answer(() => {
        if (purpose !== context.purpose) throw new KmsError('invalid_request')
        return file.ring(purpose).generateDataKey(context)
      }),
    unwrap: (wrappedKey, context) => answer(() => file.ring(wrappedKey.purpose).unwrap(wrappedKey, context)),
    rewrap: (wrappedKey, context) => answer(() => file.ring(wrappedKey.purpose).rewrap(wrappedKey, context)),
    rotate: (purpose) =>
      answer(() => {
        const version = file.rotate(purpose)
        return { keyId: file.ring(purpose).keyId, version }
      }),
    currentVersion: (purpose) => answer(() => file.ring(purpose).version),
    ping: () =>
      answer(() => {
        for (const purpose of apiPurposes) file.ring(purpose).version
      }),
  }
}

const codes: Record<EnvelopeErrorCode, KmsErrorCode> = {
  malformed: 'invalid_request',
  invalid_context: 'invalid_request',
  invalid_key: 'invalid_request',
  invalid_length: 'invalid_request',
  unauthenticated: 'unauthenticated',
  unknown_key: 'unknown_key',
}

const answer = async <result>(action: () => result): Promise<result> => {
  try {
    return action()
  } catch (error) {
    if (error instanceof EnvelopeError) throw new KmsError(codes[error.code], error)
    if (error instanceof KeyFileError) throw new KmsError('unavailable', error)
    throw error
  }
}
