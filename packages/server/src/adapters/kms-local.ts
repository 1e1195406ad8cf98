import {
  EnvelopeError,
  type EnvelopeErrorCode,
  type KeyFile,
  KeyFileError,
  type KeyPurpose,
  makeKeyFile,
  openKeyFile,
} from '@symbolon/crypto/node'
import { type Kms, KmsError, type KmsErrorCode } from '../ports/kms.ts'
import { apiPurposes } from './kms/key-service.ts'

/**
 * A KMS in one key file of mode 0600, shared by all processes of the machine: a rotation by one is seen by the others at their next call. It
 * makes no file and no first keys (`makeLocalKeys` does); without its file it has no key, until the file is there. Throws `KeyFileError` when
 * the file exists and is unfit, or readable by others.
 */
export function kmsLocal(path: string): Kms {
  let opened = openIfThere(path)
  const open = () => {
    opened ??= openKeyFile(path, apiPurposes)
    return opened
  }
  const file: KeyFile = {
    ring: (purpose) => open().ring(purpose),
    rotate: (purpose) => open().rotate(purpose),
  }
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
    keyId: (purpose) => answer(() => file.ring(purpose).keyId),
    ping: () =>
      answer(() => {
        for (const purpose of apiPurposes) file.ring(purpose).version
      }),
  }
}

/** Makes the key file of an installation that has sealed nothing, or adds the keys of purposes that have not. Throws `KeyFileError`. */
export const makeLocalKeys = (path: string, inUse: readonly KeyPurpose[] = []): void =>
  makeKeyFile(path, apiPurposes, { inUse })

function openIfThere(path: string): KeyFile | undefined {
  try {
    return openKeyFile(path, apiPurposes)
  } catch (error) {
    if (error instanceof KeyFileError && error.code === 'missing') return undefined
    throw error
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
    if (error instanceof KeyFileError)
      throw new KmsError(error.code === 'missing' ? 'unknown_key' : 'unavailable', error)
    throw error
  }
}
