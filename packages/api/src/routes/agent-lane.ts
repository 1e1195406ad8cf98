import {
  AgentSession,
  AgentSignRequest,
  SendAgentTransaction,
  SentAgentTransaction,
} from '../agent-session.ts'
import { signBodyBytesMax } from '../limits.ts'
import type { Route } from '../route.ts'
import { SignResponse } from '../sign-response.ts'

/** Reads the agent's own session. */
export const getMyAgentSession = {
  id: 'agentLane.me',
  method: 'GET',
  path: '/v1/agents/me',
  lane: 'agent',
  limit: 'agent',
  summary: 'Read your session: effective policy and budget',
  status: 200,
  data: AgentSession,
  errors: [],
} as const satisfies Route

/** Signs under the session's policy. */
export const signAsAgent = {
  id: 'agentLane.sign',
  method: 'POST',
  path: '/v1/agents/me/sign',
  lane: 'agent',
  limit: 'agent',
  isSigningRequest: true,
  summary: "Sign with the session's wallet, within its policy",
  description:
    'The enclave decodes the bytes and evaluates them against the policy. A refusal names the rule, its layer, the limit and the actual value. `dry_run` returns the whole evaluation in `decision` without signing, spending or recording an event. A message is evaluated on its `chain`, by default `ethereum` or `solana`: name one that the session allows.',
  body: AgentSignRequest,
  bodyBytesMax: signBodyBytesMax,
  examples: {
    'A message': { type: 'message', chain: 'base', message: 'I am an agent' },
    'A dry run of a transaction': {
      type: 'transaction',
      chain: 'base',
      transaction: {
        to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
        value: '0x16345785d8a0000',
        data: '0x',
        nonce: '0x0',
        gas_limit: '0x5208',
        max_fee_per_gas: '0x77359400',
        max_priority_fee_per_gas: '0x1',
      },
      dry_run: true,
    },
  },
  status: 200,
  data: SignResponse,
  errors: ['invalid_payload', 'invalid_curve', 'chain_unsupported', 'policy_violation', 'state_rolled_back'],
} as const satisfies Route

/** Prepares, signs and sends a transaction. */
export const sendAsAgent = {
  id: 'agentLane.send',
  method: 'POST',
  path: '/v1/agents/me/transactions',
  lane: 'agent',
  limit: 'agent',
  isSigningRequest: true,
  summary: 'Prepare, sign and broadcast a transaction, within the policy',
  description:
    'EVM chains only. Nonces have no gaps, however many requests run at once. If the wallet cannot pay the value and the highest fee, the answer is `insufficient_funds` with `details: {needed, balance, asset}`: nothing is signed, and no budget is spent.',
  body: SendAgentTransaction,
  examples: {
    'A payment of 0.1': {
      chain: 'base',
      to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      value: '100000000000000000',
    },
  },
  status: 200,
  data: SentAgentTransaction,
  errors: [
    'invalid_payload',
    'chain_unsupported',
    'bad_to',
    'wallet_not_evm',
    'estimate_gas_reverted',
    'insufficient_funds',
    'policy_violation',
    'state_rolled_back',
    'rpc_failed',
    'broadcast_failed',
  ],
  answerLimitMs: 20_000,
} as const satisfies Route
