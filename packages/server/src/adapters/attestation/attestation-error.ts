/** The check that an attestation document failed. */
export type AttestationErrorCode =
  | 'too_large'
  | 'cbor'
  | 'cose_shape'
  | 'cose_algorithm'
  | 'cose_headers'
  | 'cose_signature'
  | 'document_shape'
  | 'document_field'
  | 'root_mismatch'
  | 'certificate_parse'
  | 'certificate_version'
  | 'certificate_algorithm'
  | 'certificate_key'
  | 'certificate_extension'
  | 'certificate_time'
  | 'certificate_name'
  | 'certificate_signature'
  | 'certificate_authority'
  | 'certificate_usage'
  | 'certificate_path_length'
  | 'document_future'
  | 'document_stale'
  | 'debug_mode'
  | 'measurement_mismatch'
  | 'nonce_mismatch'
  | 'binding_mismatch'
  | 'public_key'

/** A document that proves nothing. The message names the place, for the operator's log. */
export class AttestationError extends Error {
  override readonly name = 'AttestationError'
  readonly code: AttestationErrorCode

  constructor(code: AttestationErrorCode, where = '') {
    super(where === '' ? code : `${code}: ${where}`)
    this.code = code
  }
}
