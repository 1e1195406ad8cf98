import type { KeyObject } from 'node:crypto'
import { aeadOpen, aeadOverhead, aeadSeal } from './aead.ts'
import { algorithmOf } from './envelope-algorithm.ts'
import type { EnvelopeContext } from './envelope-context.ts'
import { EnvelopeError } from './envelope-error.ts'
import { envelopeAad, envelopeLayout, joinEnvelope, keyIdStart } from './envelope-layout.ts'
import type { WrappedKey } from './wrapped-key.ts'

/** The parts of an envelope, as views of it. */
export type ParsedEnvelope = {
  wrappedKey: WrappedKey
  iv: Uint8Array
  ciphertext: Uint8Array
  tag: Uint8Array
}

const plaintextLengthMax = 0xffff

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
  return joinEnvelope(
    wrappedKey,
    aeadSeal(algorithmOf(context.purpose), dataKey, plaintext, envelopeAad(context)),
  )
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
  const plaintext = out ?? new Uint8Array(sealed.length - aeadOverhead)
  return aeadOpen(algorithmOf(context.purpose), dataKey, sealed, envelopeAad(context), plaintext)
}

/**
 * Puts a data key that was wrapped anew into an envelope, whose ciphertext stays as it is. `rewrapped` must hold the
 * same data key, which only its unwrapping proves. Throws `EnvelopeError`.
 */
export function rewrapEnvelope(envelope: Uint8Array, rewrapped: WrappedKey): Uint8Array {
  const { wrappedKey, sealed } = split(envelope)
  if (wrappedKey.purpose !== rewrapped.purpose) throw new EnvelopeError('invalid_context')
  return joinEnvelope(rewrapped, sealed)
}

const split = (envelope: Uint8Array): { wrappedKey: WrappedKey; sealed: Uint8Array } => {
  const { purpose, keyIdEnd, wrappedEnd, sealedStart } = envelopeLayout(envelope)
  const keyId = String.fromCharCode(...envelope.subarray(keyIdStart, keyIdEnd))
  const keyVersion = new DataView(envelope.buffer, envelope.byteOffset).getUint32(keyIdEnd)
  const wrapped = envelope.subarray(keyIdEnd + 6, wrappedEnd)
  return { wrappedKey: { purpose, keyId, keyVersion, wrapped }, sealed: envelope.subarray(sealedStart) }
}
