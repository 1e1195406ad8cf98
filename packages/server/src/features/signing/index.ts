/**
 * Signatures of users and backends: load the wallet, check it, decode the payload, sign in the enclave, record and release, answer.
 * @module
 */
export { payloadLength } from './payload-length.ts'
export { type SignedFacts, signedFacts } from './signed-facts.ts'
export type { UserSigningCtx } from './signing.ts'
