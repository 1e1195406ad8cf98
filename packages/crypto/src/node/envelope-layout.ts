import { aeadOverhead } from './aead.ts'
import { algorithmCode } from './envelope-algorithm.ts'
import { contextBytes, contextLength, type EnvelopeContext } from './envelope-context.ts'
import { EnvelopeError } from './envelope-error.ts'
import { type KeyPurpose, purposeCode, purposeOfCode } from './key-purpose.ts'
import { assertWrappedKey, keyIdLengthMax, type WrappedKey, wrappedLengthMax } from './wrapped-key.ts'

/** Where the parts of an envelope lie: the key id from 4 to `keyIdEnd`, the wrapped key from `keyIdEnd` + 6. */
export type EnvelopeLayout = {
  purpose: KeyPurpose
  keyIdEnd: number
  /** End of the wrapped key. What comes before depends on key and row, not on the plaintext. */
  wrappedEnd: number
  /** Start of iv (12 bytes), ciphertext and tag (16 bytes), which end with the envelope. */
  sealedStart: number
}

/** Offset of the key id. */
export const keyIdStart = 4

const format = 1
const text = new TextEncoder()
const domain = text.encode('symbolon/envelope/v1\0')

/** Offset of the context in `envelopeAad`. */
export const aadContextStart: number = domain.length + 1

/** What a plaintext is authenticated with: the algorithm's byte and the row. Throws `EnvelopeError`. */
export function envelopeAad(context: EnvelopeContext): Uint8Array {
  const aad = new Uint8Array(aadContextStart + contextLength)
  aad.set(domain)
  aad[domain.length] = algorithmCode(context.purpose)
  aad.set(contextBytes(context), aadContextStart)
  return aad
}

/** Puts an envelope together of its wrapped key and `sealed`: iv, ciphertext, tag. Throws `EnvelopeError`. */
export function joinEnvelope(wrappedKey: WrappedKey, sealed: Uint8Array): Uint8Array {
  assertWrappedKey(wrappedKey)
  const keyId = text.encode(wrappedKey.keyId)
  const keyIdEnd = keyIdStart + keyId.length
  const wrappedEnd = keyIdEnd + 6 + wrappedKey.wrapped.length
  const envelope = new Uint8Array(wrappedEnd + 2 + sealed.length)
  const view = new DataView(envelope.buffer)
  envelope[0] = format
  envelope[1] = algorithmCode(wrappedKey.purpose)
  envelope[2] = purposeCode(wrappedKey.purpose)
  envelope[3] = keyId.length
  envelope.set(keyId, keyIdStart)
  view.setUint32(keyIdEnd, wrappedKey.keyVersion)
  view.setUint16(keyIdEnd + 4, wrappedKey.wrapped.length)
  envelope.set(wrappedKey.wrapped, keyIdEnd + 6)
  view.setUint16(wrappedEnd, sealed.length - aeadOverhead)
  envelope.set(sealed, wrappedEnd + 2)
  return envelope
}

/** Finds the parts of an envelope. Throws `EnvelopeError('malformed')` on anything but exactly one. */
export function envelopeLayout(envelope: Uint8Array): EnvelopeLayout {
  const { length } = envelope
  // Nothing shorter can be an envelope, so that the reads below meet no end before the lengths are checked.
  if (length < keyIdStart || envelope[0] !== format) throw malformed()
  const purpose = purposeOfCode(envelope[2] ?? 0)
  if (envelope[1] !== algorithmCode(purpose)) throw malformed()
  const keyIdLength = envelope[3] ?? 0
  const keyIdEnd = keyIdStart + keyIdLength
  if (length < keyIdEnd + 6) throw malformed()
  const wrappedLength = u16(envelope, keyIdEnd + 4)
  const wrappedEnd = keyIdEnd + 6 + wrappedLength
  if (length < wrappedEnd + 2) throw malformed()
  const plaintextLength = u16(envelope, wrappedEnd)
  const isExact = length === wrappedEnd + 2 + plaintextLength + aeadOverhead
  const hasKey =
    keyIdLength > 0 &&
    keyIdLength <= keyIdLengthMax &&
    u16(envelope, keyIdEnd) + u16(envelope, keyIdEnd + 2) > 0 &&
    wrappedLength > 0 &&
    wrappedLength <= wrappedLengthMax
  if (plaintextLength === 0 || !isExact || !hasKey) throw malformed()
  for (let i = keyIdStart; i < keyIdEnd; i++) {
    const code = envelope[i] ?? 0
    if (code < 0x21 || code > 0x7e) throw malformed()
  }
  return { purpose, keyIdEnd, wrappedEnd, sealedStart: wrappedEnd + 2 }
}

const malformed = (): EnvelopeError => new EnvelopeError('malformed')

const u16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
