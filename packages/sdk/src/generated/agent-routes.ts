// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type { SentAgentTransaction } from './agent-answers.ts'
import type { SendAgentTransaction } from './agent-requests.ts'
import type { SignResponse } from './answers.ts'
import type { AgentSession } from './backend-answers.ts'
import type { SignRequest } from './requests.ts'

type AgentGet =
  | 'internal'
  | 'rate_limited'
  | 'token_expired'
  | 'token_revoked'
  | 'unauthorized'
  | 'unavailable'

type AgentPost =
  | 'chain_unsupported'
  | 'idempotency_key_in_flight'
  | 'idempotency_key_reused'
  | 'idempotency_key_spent'
  | 'internal'
  | 'invalid_payload'
  | 'invalid_request'
  | 'payload_too_large'
  | 'policy_violation'
  | 'rate_limited'
  | 'state_rolled_back'
  | 'token_expired'
  | 'token_revoked'
  | 'unauthorized'
  | 'unavailable'
  | 'unsupported_media_type'

/** Every route for agents, by method and path. Without data (204) `data` is null. */
export type AgentRoutes = {
  /** Read your session: effective policy and budget. */
  'GET /v1/agents/me': {
    data: AgentSession
    code: AgentGet
  }
  /** Sign with the session's wallet, within its policy. */
  'POST /v1/agents/me/sign': {
    body: SignRequest
    data: SignResponse
    code: AgentPost | 'invalid_curve'
  }
  /** Prepare, sign and broadcast a transaction, within the policy. */
  'POST /v1/agents/me/transactions': {
    body: SendAgentTransaction
    data: SentAgentTransaction
    code:
      | AgentPost
      | 'bad_to'
      | 'wallet_not_evm'
      | 'estimate_gas_reverted'
      | 'insufficient_funds'
      | 'rpc_failed'
      | 'broadcast_failed'
  }
}
