/**
 * What the platform claims, verified without trusting it: attestations of the enclave, receipts of signatures, the wallet frame, and the
 * audit log (exports, inclusion, consistency). Runs in browsers and backends.
 */
export type {
  AttestationAnswer,
  AttestationFinding,
  AttestationFindingCode,
  AttestationReport,
  AttestationVerdict,
  EnclaveImage,
  EnclaveKey,
  ExpectedEnclave,
  KeyAttestationAnswer,
  Measurements,
  PublicJwk,
  Receipt,
  ReceiptEffect,
  ReceiptReport,
  VerifiedAttestation,
} from '@symbolon/crypto/attestation'
export type { AuditFinding, AuditFindingCode, AuditSeverity, AuditVerdict } from './verify/audit-finding.ts'
export type { AuditKeys } from './verify/audit-keys.ts'
export type { AuditExport } from './verify/export-lines.ts'
export {
  type AttestationSource,
  AttestationUnavailableError,
  type FetchedAttestation,
  fetchAttestation,
  fetchKeyAttestation,
} from './verify/fetch-attestation.ts'
export type { Findings } from './verify/finding-list.ts'
export type { AuditCheckpoint, CheckpointInput } from './verify/open-checkpoint.ts'
export {
  AttestationRefusedError,
  type RequireAttestationOptions,
  requireAttestation,
} from './verify/require-attestation.ts'
export { verifyAttestation } from './verify/verify-attestation.ts'
export { type AuditConsistency, verifyConsistency } from './verify/verify-consistency.ts'
export { type ExportReport, type VerifyExportOptions, verifyExport } from './verify/verify-export.ts'
export {
  type FrameFinding,
  type FrameFindingCode,
  type FrameReport,
  frameFindingCodes,
  type VerifyFrameOptions,
  verifyFrame,
} from './verify/verify-frame.ts'
export { type AuditProof, verifyInclusion } from './verify/verify-inclusion.ts'
export { type ReceiptProof, verifyReceipt } from './verify/verify-receipt.ts'
export {
  ReleaseRefusedError,
  readRelease,
  type UnverifiedRelease,
  type VerifyReleaseOptions,
  verifyRelease,
} from './verify/verify-release.ts'
