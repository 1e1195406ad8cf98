/** For agents: signatures and payments with a session token, within its policy. Runs wherever the Fetch API does. */
export {
  type AgentAnswer,
  type AgentClient,
  type AgentClientOptions,
  createAgentClient,
} from './agent/create-agent-client.ts'
export { type PolicyViolation, violationOf } from './agent/violation.ts'
export type { SentAgentTransaction } from './generated/agent-answers.ts'
export type { SendAgentTransaction } from './generated/agent-requests.ts'
export type { PolicyDecision, SignResponse } from './generated/answers.ts'
export type { AgentSession } from './generated/backend-answers.ts'
export type { SignRequest } from './generated/requests.ts'
export type { TransportCode } from './http/call.ts'
export { type Result, type SdkError, SymbolonError, unwrap } from './result.ts'
export type { EvmAccount } from './server/evm-account.ts'
export type { ReadOptions, WriteOptions } from './server/server-client.ts'
