// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.

/** `SendAgentTransaction` of the API. */
export type SendAgentTransaction = {
  chain: string
  to: string
  value?: string
  data?: string
}
