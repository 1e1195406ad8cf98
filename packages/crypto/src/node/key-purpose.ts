import { EnvelopeError } from './envelope-error.ts'

/** The purposes of key-encryption keys; the position, counted from 1, is the code in envelopes: only append. */
export const keyPurposes = ['provider', 'recovery', 'tee-a', 'tee-b', 'webhook', 'pii'] as const

/** What a key-encryption key is for; keys of one purpose open nothing of another. */
export type KeyPurpose = (typeof keyPurposes)[number]

/** The byte of a purpose in envelopes, 1..6. Throws `EnvelopeError`. */
export function purposeCode(purpose: KeyPurpose): number {
  const index = keyPurposes.indexOf(purpose)
  if (index < 0) throw new EnvelopeError('invalid_context')
  return index + 1
}

/** The purpose of a byte in envelopes. Throws `EnvelopeError`. */
export function purposeOfCode(code: number): KeyPurpose {
  const purpose = keyPurposes[code - 1]
  if (purpose === undefined) throw new EnvelopeError('malformed')
  return purpose
}
