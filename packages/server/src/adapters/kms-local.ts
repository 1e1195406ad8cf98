import { existsSync } from 'node:fs'
import {
  EnvelopeError,
  type EnvelopeErrorCode,
  type KeyFile,
  KeyFileError,
  type KeyPurpose,
  makeKeyFile,
  openKeyFile,
} from '@symbolon/crypto/node'
import { type KeyFault, type Kms, KmsError, type KmsErrorCode } from '../ports/kms.ts'
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
  const answer = <result>(purpose: KeyPurpose, action: () => result) => answered(path, purpose, action)
  return {
    generateDataKey: (purpose, context) =>
      answer(purpose, () => {
        if (purpose !== context.purpose) throw new KmsError('invalid_request')
        return file.ring(purpose).generateDataKey(context)
      }),
    unwrap: (wrappedKey, context) =>
      answer(wrappedKey.purpose, () => file.ring(wrappedKey.purpose).unwrap(wrappedKey, context)),
    rewrap: (wrappedKey, context) =>
      answer(wrappedKey.purpose, () => file.ring(wrappedKey.purpose).rewrap(wrappedKey, context)),
    rotate: (purpose) =>
      answer(purpose, () => {
        const version = file.rotate(purpose)
        return { keyId: file.ring(purpose).keyId, version }
      }),
    currentVersion: (purpose) => answer(purpose, () => file.ring(purpose).version),
    keyId: (purpose) => answer(purpose, () => file.ring(purpose).keyId),
    async ping() {
      for (const purpose of apiPurposes) await answer(purpose, () => file.ring(purpose).version)
    },
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

async function answered<result>(path: string, purpose: KeyPurpose, action: () => result): Promise<result> {
  try {
    return action()
  } catch (error) {
    if (error instanceof EnvelopeError) throw new KmsError(codes[error.code], error)
    if (!(error instanceof KeyFileError)) throw error
    if (error.code === 'missing') throw new KmsError('unknown_key', error)
    throw new KmsError('unavailable', error, faultOf(error, path, purpose))
  }
}

/** What an operator has to do about a file that was there: put it back, or take another installation's away. */
function faultOf({ code }: KeyFileError, path: string, purpose: KeyPurpose): KeyFault | undefined {
  if (code === 'replaced') return { reason: 'key_foreign', purpose }
  return existsSync(path) ? undefined : { reason: 'key_missing', purpose }
}
