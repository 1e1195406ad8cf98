// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.

/** `SentAgentTransaction` of the API. */
export type SentAgentTransaction = {
  tx_hash: string
  chain: string
  chain_id: number
  /** 0x hex. */
  nonce: string
  from: string
  /** The receipt: a compact JWS (EdDSA) that the enclave signed, stored before the signature left. Verify it with `node verify.js receipt` (guide: Verify the enclave). */
  receipt?: string
}
