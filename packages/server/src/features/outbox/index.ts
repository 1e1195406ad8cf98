/**
 * Messages that must leave the platform: sealed rows, written in the transaction that causes them, and sent until they are delivered.
 * @module
 */
export { enqueue } from './enqueue.ts'
export type { Outbox, SealedRow } from './outbox.ts'
export { retryDelayMs } from './retry-schedule.ts'
