import { sha256 } from '@noble/hashes/sha2.js'
import {
  type AttestationFinding,
  attestationFinding,
  attestationVerdict,
  type ReceiptReport,
  type VerifyReceiptOptions,
  verifyReceipt as verifyReceiptAlone,
} from '@symbolon/crypto/attestation'
import { given } from '../given.ts'
import type { ApiAnswer } from './api-answer.ts'
import type { AuditKeys } from './audit-keys.ts'
import { isObject } from './audit-line.ts'
import type { CheckpointInput } from './open-checkpoint.ts'
import { type AuditProof, verifyInclusion } from './verify-inclusion.ts'

/** That the signature is in the audit log: its event, as listed or as its line of an export, and what `…/proof` and `…/checkpoint` answer. */
export type ReceiptProof = {
  readonly event: Readonly<Record<string, unknown>> | string
  readonly proof: ApiAnswer<AuditProof>
  readonly checkpoint: CheckpointInput
}

/**
 * Verifies a receipt without trusting the platform: that an attested enclave signed it, that its effects are those that it commits
 * to and, with a `proof`, that the audit log names it under a checkpoint signed by one of the platform's `keys`. Rejects with
 * `TypeError` for an attestation or a proof that is none.
 *
 * @example
 * const { verdict, receipt } = await verifyReceipt({ receipt: jws, attestation, ringId })
 */
export async function verifyReceipt(
  asked: VerifyReceiptOptions & {
    readonly proof?: ReceiptProof | undefined
    readonly keys?: AuditKeys | undefined
  },
): Promise<ReceiptReport> {
  const { proof, keys, ...options } = given('verifyReceipt', asked, ['receipt', 'attestation'])
  const report = await verifyReceiptAlone(options)
  if (proof === undefined) return report
  const findings = [...report.findings, ...(await proofFindings(options.receipt, report, proof, keys))]
  return { ...report, verdict: attestationVerdict(findings), findings }
}

async function proofFindings(
  jws: string,
  { receipt }: ReceiptReport,
  { event, proof, checkpoint }: ReceiptProof,
  keys: AuditKeys | undefined,
): Promise<AttestationFinding[]> {
  const findings: AttestationFinding[] = []
  const named = namedIn(event)
  if (named?.receiptSha256 !== sha256Hex(jws))
    findings.push(attestationFinding('proof_invalid', 'the event does not name this receipt.'))
  if (receipt !== undefined && named?.organizationId !== receipt.organization_id)
    findings.push(attestationFinding('proof_invalid', 'the event belongs to another organization.'))
  const inclusion = await verifyInclusion({ event, proof, checkpoint, keys })
  for (const { severity, message } of inclusion.findings) {
    if (severity === 'failure') findings.push(attestationFinding('proof_invalid', message))
    if (severity === 'unproven') findings.push(attestationFinding('proof_not_checked', message))
  }
  return findings
}

/** What a `wallet.signed` event says of its receipt. */
function namedIn(event: ReceiptProof['event']) {
  const fields = typeof event === 'string' ? parsed(event) : event
  if (!isObject(fields) || fields['event_type'] !== 'wallet.signed' || !isObject(fields['payload']))
    return undefined
  return { receiptSha256: fields['payload']['receipt_sha256'], organizationId: fields['organization_id'] }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sha256Hex = (text: string): string =>
  Array.from(sha256(new TextEncoder().encode(text)), (byte) => byte.toString(16).padStart(2, '0')).join('')
