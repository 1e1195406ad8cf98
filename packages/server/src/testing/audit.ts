/** The audit log from inside: writer, proofs, lists and its Merkle tree. */

export { auditStore } from '../features/audit/audit.store.ts'
export type { AuditEvent, Entry } from '../features/audit/audit.ts'
export { type AuditListQuery, listAuditEvents } from '../features/audit/audit-list.store.ts'
export {
  checkpoint,
  exportLog,
  proveConsistency,
  proveInclusion,
  type WireCheckpoint,
} from '../features/audit/audit-proofs.ts'
export { auditWriter } from '../features/audit/audit-writer.ts'
export { signHead } from '../features/audit/checkpoint-note.ts'
export { leafHash, merkleTree, rootOfRow } from '../features/audit/merkle.ts'
export { receiptVoided } from '../features/audit/receipt-events.ts'
export { orThrow } from '../runtime/failure.ts'
