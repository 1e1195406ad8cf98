/** The check that an attestation document failed. */
export type AttestationCheck =
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

/** A document that proves nothing. The message names the check and the place. */
export class AttestationError extends Error {
  override readonly name = 'AttestationError'
  readonly code: AttestationCheck
  /** What exactly, or nothing. */
  readonly where: string

  constructor(code: AttestationCheck, where = '') {
    super(where === '' ? code : `${code}: ${where}`)
    this.code = code
    this.where = where
  }
}
