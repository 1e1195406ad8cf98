import type { AttestationCheck, AttestationError } from './attestation-error.ts'

/**
 * How much a finding weighs: a `failure` proves that something is not what it should be, `unproven` says what could not be
 * checked, a `notice` fails nothing.
 */
type Severity = 'failure' | 'unproven' | 'notice'

const kinds = {
  simulated_not_allowed: ['failure', 'The attestation is simulated: it proves nothing about hardware.'],
  root_untrusted: ['failure', 'The certificates lead to a root that is not trusted.'],
  chain_invalid: ['failure', 'The certificate chain is invalid'],
  signature_invalid: ['failure', 'The signature is invalid'],
  nonce_mismatch: ['failure', 'The document was made for another nonce.'],
  user_data_mismatch: ['failure', 'The answer is not what the document commits to'],
  pcr_mismatch: ['failure', 'The measurements are not those of the expected image'],
  debug_enclave: ['failure', 'The enclave runs in debug mode, where its host reads its memory'],
  document_expired: ['failure', 'The document is not fresh'],
  receipt_key_not_attested: ['failure', 'The attestation does not cover the key of the receipt'],
  effects_mismatch: ['failure', 'The effects are not those that effects_sha256 commits to.'],
  proof_invalid: ['failure', 'The audit log does not prove the receipt'],
  ring_mismatch: ['failure', 'This is another key ring'],
  root_not_pinned: ['unproven', 'The simulated root is not pinned: anybody could have made this document.'],
  nonce_not_checked: ['unproven', 'No nonce of yours is in the document: it may be an old one.'],
  pcr_not_checked: ['unproven', 'No measurements were given: this may be any image.'],
  proof_not_checked: ['unproven', 'The proof was not checked against keys of the platform.'],
  ring_not_pinned: ['notice', 'The key ring is not pinned'],
} as const satisfies Record<string, readonly [Severity, string]>

/** What a verifier found out. The texts are for people and may change; the codes may not. */
export type AttestationFindingCode = keyof typeof kinds

/** All codes. */
export const attestationFindingCodes: readonly string[] = Object.keys(kinds)

/** One finding. */
export type AttestationFinding = { readonly code: AttestationFindingCode; readonly message: string }

/** `failed` by at least one failure, else `unproven` by at least one thing that was not checked, else `verified`. */
export type AttestationVerdict = 'verified' | 'failed' | 'unproven'

/** What an attestation or a receipt comes to. */
export type AttestationReport = {
  readonly verdict: AttestationVerdict
  /** Who vouches for the enclave: AWS, or a simulation; null where neither does. */
  readonly mode: 'nitro' | 'simulated' | null
  readonly findings: readonly AttestationFinding[]
}

/** A finding; `details` complete its general words. */
export function attestationFinding(code: AttestationFindingCode, details = ''): AttestationFinding {
  const text: string = kinds[code][1]
  const isSentence = text.endsWith('.')
  if (details === '') return { code, message: isSentence ? text : `${text}.` }
  return { code, message: isSentence ? `${text} ${details}` : `${text}: ${details}` }
}

/** What findings come to. */
export function attestationVerdict(findings: readonly AttestationFinding[]): AttestationVerdict {
  const severities = new Set<Severity>(findings.map(({ code }) => kinds[code][0]))
  if (severities.has('failure')) return 'failed'
  return severities.has('unproven') ? 'unproven' : 'verified'
}

const malformed = 'the document is malformed'

/** The finding that a failed check of a document is, and its words. */
const findingOfCheck: Readonly<Record<AttestationCheck, readonly [AttestationFindingCode, string]>> = {
  too_large: ['signature_invalid', 'the document is larger than any real one'],
  cbor: ['signature_invalid', malformed],
  cose_shape: ['signature_invalid', malformed],
  cose_algorithm: ['signature_invalid', 'the algorithm is another one'],
  cose_headers: ['signature_invalid', malformed],
  cose_signature: ['signature_invalid', 'the document was changed, or another key signed it'],
  document_shape: ['signature_invalid', malformed],
  document_field: ['signature_invalid', 'a field is malformed'],
  root_mismatch: ['root_untrusted', ''],
  certificate_parse: ['chain_invalid', 'a certificate is malformed'],
  certificate_version: ['chain_invalid', 'a certificate has another version'],
  certificate_algorithm: ['chain_invalid', 'a certificate is signed with another algorithm'],
  certificate_key: ['chain_invalid', 'a key is not on P-384'],
  certificate_extension: ['chain_invalid', 'an extension is not understood'],
  certificate_time: ['chain_invalid', 'a certificate is not valid at this time'],
  certificate_name: ['chain_invalid', 'a certificate is of another issuer'],
  certificate_signature: ['chain_invalid', 'another key signed a certificate'],
  certificate_authority: [
    'chain_invalid',
    'a certificate is an authority where it must not be, or none where it must',
  ],
  certificate_usage: ['chain_invalid', 'a key is not meant for what it signed'],
  certificate_path_length: ['chain_invalid', 'the chain is longer than its authority allows'],
  document_future: ['document_expired', 'it is from the future'],
  document_stale: ['document_expired', 'it is too old'],
  debug_mode: ['debug_enclave', 'a register is zero'],
  measurement_mismatch: ['pcr_mismatch', ''],
  nonce_mismatch: ['nonce_mismatch', ''],
  binding_mismatch: ['user_data_mismatch', 'ring, image, keys or manifest'],
  public_key: ['user_data_mismatch', 'the channel key'],
}

/** A failed check as a finding. */
export function findingOf({ code: check, where }: AttestationError): AttestationFinding {
  const [code, words] = findingOfCheck[check]
  const details = words === '' || where === '' ? words || where : `${words} (${where})`
  return attestationFinding(code, details === '' || details.endsWith('.') ? details : `${details}.`)
}
