import { createSecretKey, type KeyObject, randomFillSync } from 'node:crypto'
import { wipe } from '../wipe.ts'
import { gcmOpen, gcmOverhead, gcmSeal } from './aes-gcm.ts'
import type { EnvelopeContext } from './envelope-context.ts'
import { EnvelopeError } from './envelope-error.ts'
import type { KeyPurpose } from './key-purpose.ts'
import { type WrappedKey, wrappedKeyAad } from './wrapped-key.ts'

/** A fresh 32-byte data key, which the caller wipes after use, and its wrapped form. */
export type DataKey = { dataKey: Uint8Array; wrappedKey: WrappedKey }

/**
 * The key-encryption keys of one purpose. New data keys are wrapped under the highest version, any version still
 * unwraps. `rewrap` moves a data key to the highest version without showing it. All throw `EnvelopeError`.
 *
 * Rotate before 2^32 wraps under one version: the ivs are random (NIST SP 800-38D section 8.3).
 */
export type KeyRing = {
  readonly keyId: string
  readonly version: number
  generateDataKey(context: EnvelopeContext): DataKey
  unwrap(wrappedKey: WrappedKey, context: EnvelopeContext): Uint8Array
  rewrap(wrappedKey: WrappedKey, context: EnvelopeContext): WrappedKey
}

/** What a key ring is made of: the first of `keys` (32 bytes each, copied) is version 1. */
export type KeyRingInput = { purpose: KeyPurpose; keyId: string; keys: readonly Uint8Array[] }

const dataKeyLength = 32

/** Makes a key ring that wraps with AES-256-GCM. Throws `EnvelopeError` without keys of 32 bytes. */
export function keyRing({ purpose, keyId, keys }: KeyRingInput): KeyRing {
  if (keys.length === 0 || keys.some((key) => key.length !== 32)) throw new EnvelopeError('invalid_key')
  const versions: readonly KeyObject[] = keys.map((key) => createSecretKey(key))
  const version = versions.length

  const keyOf = (keyVersion: number): KeyObject => {
    const key = versions[keyVersion - 1]
    if (key === undefined) throw new EnvelopeError('unknown_key')
    return key
  }

  const wrap = (dataKey: Uint8Array, context: EnvelopeContext): WrappedKey => {
    const header = { purpose, keyId, keyVersion: version }
    return { ...header, wrapped: gcmSeal(keyOf(version), dataKey, wrappedKeyAad(header, context)) }
  }

  const unwrap = (wrappedKey: WrappedKey, context: EnvelopeContext): Uint8Array => {
    if (wrappedKey.purpose !== purpose || wrappedKey.keyId !== keyId) throw new EnvelopeError('unknown_key')
    const key = keyOf(wrappedKey.keyVersion)
    if (wrappedKey.wrapped.length !== dataKeyLength + gcmOverhead) throw new EnvelopeError('malformed')
    return gcmOpen(key, wrappedKey.wrapped, wrappedKeyAad(wrappedKey, context), new Uint8Array(dataKeyLength))
  }

  return {
    keyId,
    version,
    generateDataKey(context) {
      const dataKey = randomFillSync(new Uint8Array(dataKeyLength))
      return { dataKey, wrappedKey: wrap(dataKey, context) }
    },
    unwrap,
    rewrap(wrappedKey, context) {
      const dataKey = unwrap(wrappedKey, context)
      try {
        return wrap(dataKey, context)
      } finally {
        wipe(dataKey)
      }
    },
  }
}
