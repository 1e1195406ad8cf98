/**
 * Receipts of signatures: held until the signature leaves, stored by its commit, listed; and the numbers that neither left, reported.
 * @module
 */
export {
  type HeldReceipts,
  type HeldReceiptsCtx,
  holdReceipts,
  receiptOf,
  storedReceipt,
  wantsReceipt,
} from './held-receipts.ts'
