import { sha256 } from '@noble/hashes/sha2.js'
import { base64UrlBytes } from '../base64.ts'
import { canonicalJson } from '../canonical-json.ts'
import { equalBytes } from '../equal-bytes.ts'
import { toHex } from '../hex.ts'
import { isOwnKid, type ReadAttestation, readAttestation } from './attestation-answer.ts'
import { isEd25519Signature } from './ed25519.ts'
import { type AttestationFinding, type AttestationReport, attestationFinding } from './finding.ts'
import { isReceipt, type Receipt, readReceipt, wrongMember } from './receipt.ts'
import { receiptKeyNonce } from './user-data.ts'
import { type ExpectedEnclave, reportOf, verifyPastAttestation } from './verify-attestation.ts'
import { openDocument } from './verify-document.ts'

/** What to verify a receipt against. */
export type VerifyReceiptOptions = ExpectedEnclave & {
  /** The receipt, a compact JWS. */
  readonly receipt: string
  /** The answer of `GET /v1/attestation/keys/{kid}` for its key, or of `GET /v1/attestation` by the boot that made the receipt; parsed. */
  readonly attestation: unknown
}

/** What a receipt comes to; `receipt` is its payload, once its signature was found good. */
export type ReceiptReport = AttestationReport & { readonly receipt: Receipt | undefined }

/**
 * Verifies a receipt without trusting the platform: that an attested enclave made the key that signed it, that its effects are
 * those that it commits to, and that ring and mode are the attested ones. How old the attestation is does not count, since a receipt
 * is verified long after the boot that made it. Rejects with `TypeError` where `attestation` is not one.
 */
export async function verifyReceipt({
  receipt: jws,
  attestation,
  ...expected
}: VerifyReceiptOptions): Promise<ReceiptReport> {
  const read = readAttestation(attestation)
  const { mode, findings } = await verifyPastAttestation(read, expected)
  const receipt = readReceipt(jws)
  if (typeof receipt === 'string')
    return {
      ...reportOf(mode, [...findings, attestationFinding('signature_invalid', receipt)]),
      receipt: undefined,
    }
  const key = attestedKey(receipt.kid, read)
  if (typeof key === 'string')
    return {
      ...reportOf(mode, [...findings, attestationFinding('receipt_key_not_attested', key)]),
      receipt: undefined,
    }
  if (!(await isEd25519Signature(key, receipt.signature, receipt.signed)))
    return {
      ...reportOf(mode, [...findings, attestationFinding('signature_invalid', 'the receipt was changed.')]),
      receipt: undefined,
    }
  const { payload } = receipt
  if (!isReceipt(payload)) {
    const details = `the payload is not a receipt of version 1 (${wrongMember(payload)}).`
    return {
      ...reportOf(mode, [...findings, attestationFinding('signature_invalid', details)]),
      receipt: undefined,
    }
  }
  return { ...reportOf(mode, [...findings, ...payloadFindings(payload, read)]), receipt: payload }
}

/** The key that the attestation has for a kid (32 bytes), or why it has none. */
function attestedKey(
  kid: string,
  { answer, document, kid: keyOfAnswer }: ReadAttestation,
): Uint8Array | string {
  const key = answer.keys.find((one) => one.kid === kid && one.use === 'receipt')
  const bytes = key !== undefined && isOwnKid(key) ? base64UrlBytes(key.jwk.x) : undefined
  if (keyOfAnswer !== undefined && keyOfAnswer !== kid) return `it is the one of ${keyOfAnswer}.`
  if (bytes?.length !== 32) return `${kid} is not among its receipt keys.`
  // The attestation of one key is of the moment when it was made, which its nonce says.
  if (keyOfAnswer !== undefined && !hasNonce(document, receiptKeyNonce(kid)))
    return 'the document does not carry the SHA-256 of its kid.'
  return bytes
}

function hasNonce(document: Uint8Array, nonce: Uint8Array): boolean {
  try {
    const own = openDocument(document).nonce
    return own !== undefined && equalBytes(own, nonce)
  } catch {
    return false
  }
}

function payloadFindings(receipt: Receipt, { answer }: ReadAttestation): AttestationFinding[] {
  const findings: AttestationFinding[] = []
  const effects = sha256(new TextEncoder().encode(canonicalJson(receipt.effects)))
  if (toHex(effects) !== receipt.effects_sha256) findings.push(attestationFinding('effects_mismatch'))
  if (receipt.ring_id !== answer.ring_id)
    findings.push(attestationFinding('ring_mismatch', `the receipt is of ${receipt.ring_id}.`))
  if (receipt.mode !== answer.mode)
    findings.push(
      attestationFinding(
        'receipt_key_not_attested',
        `the receipt is ${receipt.mode}, the attestation ${answer.mode}.`,
      ),
    )
  if (receipt.digests.length !== receipt.signatures.length)
    findings.push(
      attestationFinding('signature_invalid', 'the receipt has not one signature for each digest.'),
    )
  return findings
}
