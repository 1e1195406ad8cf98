import type { KeyObject } from 'node:crypto'
import { gcmOpen, gcmOverhead, gcmSeal } from './aes-gcm.ts'
import { contextBytes, type EnvelopeContext } from './envelope-context.ts'
import { EnvelopeError } from './envelope-error.ts'
import { purposeCode, purposeOfCode } from './key-purpose.ts'
import { assertWrappedKey, type WrappedKey } from './wrapped-key.ts'

/** The parts of an envelope, as views of it. */
export type ParsedEnvelope = {
  wrappedKey: WrappedKey
  iv: Uint8Array
  ciphertext: Uint8Array
  tag: Uint8Array
}

const format = 1
const plaintextLengthMax = 0xffff
const text = new TextEncoder()
const domain = text.encode('symbolon/envelope/v1\0')

/**
 * Seals 1..65535 bytes for one row under a data key that is used for this envelope only; the format is in
 * ENVELOPE.md. Throws `EnvelopeError`.
 */
export function sealEnvelope(
  plaintext: Uint8Array,
  dataKey: Uint8Array | KeyObject,
  wrappedKey: WrappedKey,
  context: EnvelopeContext,
): Uint8Array {
  if (wrappedKey.purpose !== context.purpose) throw new EnvelopeError('invalid_context')
  if (plaintext.length === 0 || plaintext.length > plaintextLengthMax)
    throw new EnvelopeError('invalid_length')
  return join(wrappedKey, gcmSeal(dataKey, plaintext, envelopeAad(context)))
}

/** Reads an envelope without opening it. Throws `EnvelopeError('malformed')` on anything but exactly one. */
export function parseEnvelope(envelope: Uint8Array): ParsedEnvelope {
  const { wrappedKey, sealed } = split(envelope)
  return {
    wrappedKey,
    iv: sealed.subarray(0, 12),
    ciphertext: sealed.subarray(12, -16),
    tag: sealed.subarray(-16),
  }
}

/**
 * Opens an envelope of this very row and answers its plaintext, written into `out` when given (then of the exact
 * length). Throws `EnvelopeError`.
 */
export function openEnvelope(
  envelope: Uint8Array,
  dataKey: Uint8Array | KeyObject,
  context: EnvelopeContext,
  out?: Uint8Array,
): Uint8Array {
  const { wrappedKey, sealed } = split(envelope)
  if (wrappedKey.purpose !== context.purpose) throw new EnvelopeError('invalid_context')
  return gcmOpen(dataKey, sealed, envelopeAad(context), out ?? new Uint8Array(sealed.length - gcmOverhead))
}

/**
 * Puts a data key that was wrapped anew into an envelope, whose ciphertext stays as it is. `rewrapped` must hold the
 * same data key, which only its unwrapping proves. Throws `EnvelopeError`.
 */
export function rewrapEnvelope(envelope: Uint8Array, rewrapped: WrappedKey): Uint8Array {
  const { wrappedKey, sealed } = split(envelope)
  if (wrappedKey.purpose !== rewrapped.purpose) throw new EnvelopeError('invalid_context')
  return join(rewrapped, sealed)
}

const envelopeAad = (context: EnvelopeContext): Uint8Array => {
  const contextPart = contextBytes(context)
  const aad = new Uint8Array(domain.length + contextPart.length)
  aad.set(domain)
  aad.set(contextPart, domain.length)
  return aad
}

const join = (wrappedKey: WrappedKey, sealed: Uint8Array): Uint8Array => {
  assertWrappedKey(wrappedKey)
  const keyId = text.encode(wrappedKey.keyId)
  const headerLength = 3 + keyId.length + 6 + wrappedKey.wrapped.length + 2
  const envelope = new Uint8Array(headerLength + sealed.length)
  const view = new DataView(envelope.buffer)
  envelope[0] = format
  envelope[1] = purposeCode(wrappedKey.purpose)
  envelope[2] = keyId.length
  envelope.set(keyId, 3)
  view.setUint32(3 + keyId.length, wrappedKey.keyVersion)
  view.setUint16(7 + keyId.length, wrappedKey.wrapped.length)
  envelope.set(wrappedKey.wrapped, 9 + keyId.length)
  view.setUint16(headerLength - 2, sealed.length - gcmOverhead)
  envelope.set(sealed, headerLength)
  return envelope
}

const split = (envelope: Uint8Array): { wrappedKey: WrappedKey; sealed: Uint8Array } => {
  const view = new DataView(envelope.buffer, envelope.byteOffset, envelope.byteLength)
  // Nothing shorter can be an envelope, so that the reads below meet no end before the lengths are checked.
  if (envelope.length < 3 || envelope[0] !== format) throw new EnvelopeError('malformed')
  const purpose = purposeOfCode(envelope[1] ?? 0)
  const keyIdEnd = 3 + (envelope[2] ?? 0)
  if (envelope.length < keyIdEnd + 6) throw new EnvelopeError('malformed')
  const wrappedEnd = keyIdEnd + 6 + view.getUint16(keyIdEnd + 4)
  if (envelope.length < wrappedEnd + 2) throw new EnvelopeError('malformed')
  const plaintextLength = view.getUint16(wrappedEnd)
  const isExact = envelope.length === wrappedEnd + 2 + plaintextLength + gcmOverhead
  if (plaintextLength === 0 || !isExact) throw new EnvelopeError('malformed')
  const keyId = String.fromCharCode(...envelope.subarray(3, keyIdEnd))
  const wrapped = envelope.subarray(keyIdEnd + 6, wrappedEnd)
  const wrappedKey = { purpose, keyId, keyVersion: view.getUint32(keyIdEnd), wrapped }
  assertWrappedKey(wrappedKey)
  return { wrappedKey, sealed: envelope.subarray(wrappedEnd + 2) }
}
