/**
 * The audit log of organizations: events in order, each with its rank, hashed into a tree that can be proven.
 * @module
 */

export { auditStore, type CommitResult, type CommitRow, eventArguments, readCommit } from './audit.store.ts'
export type {
  Audit,
  AuditEvent,
  BrokenGuard,
  Entry,
  Guard,
  NumberedReceipt,
  ReceiptNumber,
} from './audit.ts'
export { receiptVoided, withReceipt } from './receipt-events.ts'
export { rootOf } from './root-of.ts'
