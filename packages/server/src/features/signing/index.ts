/**
 * Signatures of users and backends: the one way from a request to the enclave and back, and the event that goes with it.
 * @module
 */
export type { Signing } from './signing.ts'
