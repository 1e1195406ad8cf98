/** Why an envelope or a wrapped key was refused. */
export type EnvelopeErrorCode =
  | 'malformed'
  | 'invalid_context'
  | 'invalid_key'
  | 'invalid_length'
  | 'unauthenticated'
  | 'unknown_key'

const messages: Record<EnvelopeErrorCode, string> = {
  malformed: 'The bytes are not an envelope of a known format.',
  invalid_context: 'The context is not canonical or is for another purpose.',
  invalid_key: 'A data key has 32 bytes.',
  invalid_length: 'The plaintext or its buffer has the wrong length.',
  unauthenticated: 'The envelope belongs to another key or context, or was altered.',
  unknown_key: 'The key id or version is not in this key ring.',
}

/** The only error of envelopes and key rings; never carries key bytes or plaintext. */
export class EnvelopeError extends Error {
  override name = 'EnvelopeError'
  readonly code: EnvelopeErrorCode

  constructor(code: EnvelopeErrorCode) {
    super(messages[code])
    this.code = code
  }
}
