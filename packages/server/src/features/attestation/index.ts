/**
 * What anybody can check of the enclave: its attestations, and those of the keys that sign receipts.
 * @module
 */
export type { ReceiptKeys } from './attestation.ts'
