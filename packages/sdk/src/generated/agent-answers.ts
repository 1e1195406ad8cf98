// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.

/** `SentAgentTransaction` of the API. */
export type SentAgentTransaction = {
  tx_hash: string
  chain: string
  chain_id: number
  /** 0x hex. */
  nonce: string
  from: string
}
