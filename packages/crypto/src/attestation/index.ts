/** Attestation documents and receipts, verified without trust in the platform; for browsers and Node. No I/O, no clock. */
export { canonicalJson } from '../canonical-json.ts'
export { jwkThumbprint, type PublicJwk } from '../jwk.ts'
export type { AttestationAnswer, KeyAttestationAnswer } from './attestation-answer.ts'
export { type AttestationCheck, AttestationError } from './attestation-error.ts'
export { type AttestationChallenge, type AttestedEnclave, attestedEnclave } from './attested-enclave.ts'
export { documentImage, documentMode } from './document-image.ts'
export {
  type AttestationFinding,
  type AttestationFindingCode,
  type AttestationReport,
  type AttestationVerdict,
  attestationFinding,
  attestationFindingCodes,
  attestationVerdict,
  findingOf,
} from './finding.ts'
export {
  type AttestationPolicy,
  awsNitroRootSha256,
  closedPolicy,
  isComplete,
  isSimulatedRoot,
  type Measurements,
  nitroPolicy,
  simulatedPolicy,
} from './policy.ts'
export type { Receipt, ReceiptBudget, ReceiptDecision, ReceiptEffect } from './receipt.ts'
export {
  type ImageRelease,
  isReleaseSignedBy,
  readRelease,
  releaseMeasurements,
  releaseText,
} from './release.ts'
export {
  type AttestedState,
  attestationUserData,
  type EnclaveImage,
  type EnclaveKey,
  manifestSha256,
  receiptKeyNonce,
} from './user-data.ts'
export {
  type ExpectedEnclave,
  type VerifiedAttestation,
  type VerifyAttestationOptions,
  verifyAttestation,
} from './verify-attestation.ts'
export { type ReceiptReport, type VerifyReceiptOptions, verifyReceipt } from './verify-receipt.ts'
