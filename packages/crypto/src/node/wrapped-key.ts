import { contextBytes, type EnvelopeContext, isUnsigned } from './envelope-context.ts'
import { EnvelopeError } from './envelope-error.ts'
import type { KeyPurpose } from './key-purpose.ts'

/**
 * A data key under a key-encryption key. `keyId` is 1..255 printable ASCII characters, `keyVersion` 1..2^32-1,
 * `wrapped` 1..6144 bytes (the bound of AWS KMS).
 */
export type WrappedKey = { purpose: KeyPurpose; keyId: string; keyVersion: number; wrapped: Uint8Array }

/** Longest key id, in characters. */
export const keyIdLengthMax = 255
/** Longest wrapped data key, in bytes: the bound of AWS KMS. */
export const wrappedLengthMax = 6144

const printable = /^[\x21-\x7e]{1,255}$/
const text = new TextEncoder()
const domain = text.encode('symbolon/wrapped-key/v1\0')

/** Throws `EnvelopeError('malformed')` unless every field is within its bounds. */
export function assertWrappedKey({ keyId, keyVersion, wrapped }: WrappedKey): void {
  const isBounded =
    printable.test(keyId) &&
    isUnsigned(keyVersion, 2 ** 32) &&
    keyVersion > 0 &&
    wrapped.length > 0 &&
    wrapped.length <= wrappedLengthMax
  if (!isBounded) throw new EnvelopeError('malformed')
}

/**
 * What a wrapped key is authenticated with: key id, key version and the context of its row (the purpose is in it), so that
 * neither a header nor a row can be exchanged. Throws `EnvelopeError`.
 */
export function wrappedKeyAad(
  key: Pick<WrappedKey, 'purpose' | 'keyId' | 'keyVersion'>,
  context: EnvelopeContext,
): Uint8Array {
  if (key.purpose !== context.purpose) throw new EnvelopeError('invalid_context')
  const keyId = text.encode(key.keyId)
  const contextPart = contextBytes(context)
  const aad = new Uint8Array(domain.length + 5 + keyId.length + contextPart.length)
  aad.set(domain)
  new DataView(aad.buffer).setUint32(domain.length, key.keyVersion)
  aad[domain.length + 4] = keyId.length
  aad.set(keyId, domain.length + 5)
  aad.set(contextPart, domain.length + 5 + keyId.length)
  return aad
}
