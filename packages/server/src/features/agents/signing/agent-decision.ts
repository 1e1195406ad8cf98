import type { PolicyLayer } from '@symbolon/policy'
import type { AuditEvent } from '../../audit/index.ts'
import type { PolicyVersions } from '../../spending/index.ts'

/** How an attempt ended. */
export type AgentOutcome = 'allowed' | 'rejected' | 'error'

/** What an event tells of an attempt; null where the attempt did not get that far. `payloadSha256` is hex. */
export type AttemptFacts = {
  chain: string | null
  method: 'signMessage' | 'sendTransaction' | null
  target: string | null
  value: bigint | null
  asset: string | null
  payloadSha256: string | null
}

/**
 * What must still be so at the commit, beside a living session and wallet. `digest` (hex) of a signature that leaves and costs
 * something: it has to be reserved.
 */
export type DecisionGuard = PolicyVersions & { digest: string | null }

/** A signed transaction that becomes durable with its decision. `holder` has the lease of the wallet's nonce. */
export type SignedSend = {
  id: string
  userIdentityId: string
  sender: string
  holder: string
  nonce: bigint
  attemptKey: string | null
  rawTx: Uint8Array
  /** How long it is left to whoever committed it to send it. */
  holdMs: number
}

/** A decision on its way to the database. */
export type Decision = {
  organizationId: string
  sessionId: string
  runId: string | null
  outcome: AgentOutcome
  reason: string | null
  layer: PolicyLayer | null
  facts: AttemptFacts
  txHash: string | null
  guard?: DecisionGuard
  send?: SignedSend
  audit?: AuditEvent
}

/**
 * Why a decision could not be committed. `run_ended`: nothing more is signed for the run; `stale`: rules or policy have changed since; `unreserved`: the database has lost the
 * reservation with a crash; `lease_lost`: another process has the nonce; `attempt_taken`: its key has a transaction already.
 */
export type BrokenDecision =
  | 'revoked'
  | 'expired'
  | 'wallet_archived'
  | 'run_ended'
  | 'stale'
  | 'unreserved'
  | 'lease_lost'
  | 'attempt_taken'

/** Nothing is known of an attempt yet. */
export const noFacts: AttemptFacts = {
  chain: null,
  method: null,
  target: null,
  value: null,
  asset: null,
  payloadSha256: null,
}
