/** The audit log, verified without the platform: exports, inclusion, consistency. Runs in browsers and backends. */
export type { AuditFinding, AuditFindingCode, AuditSeverity, AuditVerdict } from './verify/audit-finding.ts'
export type { AuditKeys } from './verify/audit-keys.ts'
export type { AuditExport } from './verify/export-lines.ts'
export type { Findings } from './verify/finding-list.ts'
export type { AuditCheckpoint, CheckpointInput } from './verify/open-checkpoint.ts'
export { type AuditConsistency, verifyConsistency } from './verify/verify-consistency.ts'
export { type ExportReport, type VerifyExportOptions, verifyExport } from './verify/verify-export.ts'
export { type AuditProof, verifyInclusion } from './verify/verify-inclusion.ts'
