/**
 * What leaves the platform for certain: sealed rows, written with what caused them, and sent until somebody takes them.
 * @module
 */
export { enqueue } from './enqueue.ts'
export type { Outbox, SealedRow } from './outbox.ts'
