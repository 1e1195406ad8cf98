// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.

/** `SendAgentTransaction` of the API. */
export type SendAgentTransaction = {
  chain: string
  /** The recipient or contract: 20 bytes in hex with 0x. */
  to: string
  /** In wei, decimal. Defaults to 0. */
  value?: string
  /** Calldata. Defaults to none. */
  data?: string
  /** Asks the enclave for a receipt of the signature. If the setting `receipts` of the organization is on, every signature has one, even with `false` here. A dry run has none. */
  receipt?: boolean
}
