import type { AuditEventType } from '@symbolon/api'
import { networks } from '@symbolon/networks'
import type { Decision, PolicyLayer } from '@symbolon/policy'
import type { Attempt } from '../../../db/attempts.ts'
import { type AuditEvent, type NumberedReceipt, withReceipt } from '../../audit/index.ts'
import type { SignedFacts } from '../../signing/index.ts'
import type { PolicyVersions } from '../../spending/index.ts'
import { methodOf, type SigningRequest } from './signing-request.ts'

/** The outcome of a signing request. */
export type AgentOutcome = 'allowed' | 'rejected' | 'error'

/** A request as its event describes it; null where the request did not get that far. `payloadSha256` is hex. */
export type RequestFacts = {
  chain: string | null
  method: 'signMessage' | 'sendTransaction' | null
  target: string | null
  value: bigint | null
  fee: bigint | null
  asset: string | null
  payloadSha256: string | null
}

/**
 * The conditions of a commit, beside an active session and wallet: the versions are unchanged, and the costs of `digest` (hex, of a signature
 * that leaves and costs something) are reserved.
 */
export type DecisionGuard = PolicyVersions & { digest: string | null }

/** A signed transaction that becomes durable with its decision. `holder` has the lease on the wallet's nonce. */
export type SignedSend = {
  id: string
  userIdentityId: string
  sender: string
  holder: string
  nonce: bigint
  requestKey: string | null
  rawTx: Uint8Array
  /** The receipt of its signature, where there is one. */
  receiptId?: string | undefined
  /** How long the process that committed it has to send it. */
  holdMs: number
}

/** A decision as the database records it. */
export type DecisionRecord = {
  organizationId: string
  sessionId: string
  runId: string | null
  outcome: AgentOutcome
  reason: string | null
  layer: PolicyLayer | null
  facts: RequestFacts
  txHash: string | null
  guard?: DecisionGuard
  send?: SignedSend
  audit?: AuditEvent
  /** The attempt of an idempotency key that it belongs to: where that was taken over, nothing is written. */
  attempt?: Attempt
}

/**
 * Why a decision could not be committed. `run_ended`: nothing more is signed for the run; `stale`: rules or policy have changed since the
 * evaluation; `unreserved`: a crash of the database lost the reservation; `lease_lost`: another process has the nonce; `key_taken`: the
 * key has a transaction already; `attempt_lost`: another process has the idempotency key; `receipt_known`: the number of its receipt was
 * given up.
 */
export type BrokenDecision =
  | 'revoked'
  | 'expired'
  | 'wallet_archived'
  | 'run_ended'
  | 'stale'
  | 'unreserved'
  | 'lease_lost'
  | 'key_taken'
  | 'attempt_lost'
  | 'receipt_known'

/** A request's end as the database records it; with `errorCode`, its audit event is a refusal. */
export function decisionRecord(
  request: SigningRequest,
  end: Pick<DecisionRecord, 'outcome' | 'reason' | 'layer'> &
    Partial<Pick<DecisionRecord, 'txHash' | 'guard' | 'send'>> & {
      facts?: RequestFacts | undefined
      signed?: SignedFacts
      receipt?: Required<NumberedReceipt> | undefined
      errorCode?: string
    },
): DecisionRecord {
  const { actor, runId, type, chain } = request
  const { facts, signed, receipt, errorCode, ...rest } = end
  return {
    organizationId: actor.organization.id,
    sessionId: actor.session.id,
    runId,
    txHash: null,
    facts: facts ?? { ...noFacts, chain, method: type === null ? null : methodOf(type) },
    ...rest,
    // A request that does not parse does not concern the audit log.
    ...(type !== null && {
      audit: withReceipt(
        auditEventOf(request, { reason: end.reason, layer: end.layer, errorCode, signed }),
        receipt,
      ),
    }),
  }
}

type Refused = Pick<DecisionRecord, 'reason' | 'layer'> & { errorCode: string | undefined }

function auditEventOf(
  { actor, type, chain, wallet }: SigningRequest,
  { reason, layer, errorCode, signed }: Refused & { signed: SignedFacts | undefined },
): AuditEvent {
  const eventType: AuditEventType = errorCode === undefined ? 'wallet.signed' : 'wallet.sign_refused'
  const { agentId, id, walletId } = actor.session
  // Usage counts signatures by network (`usage_kind` in db/functions).
  const known = networks.chain(chain ?? '')
  return {
    organizationId: actor.organization.id,
    type: eventType,
    walletId,
    ...(wallet !== undefined && { userIdentityId: wallet.userIdentityId }),
    actorType: 'agent',
    actorId: id,
    payload: {
      type,
      ...(known !== undefined && { chain: known.handle, network: known.network }),
      ...signed,
      ...(agentId !== null && { agent_id: agentId }),
      ...(reason !== null && { reason }),
      ...(layer !== null && { layer }),
    },
    success: errorCode === undefined,
    ...(errorCode !== undefined && { errorCode }),
  }
}

/** A policy's decision as the facts of an event. */
export const factsOf = (decision: Decision): RequestFacts => {
  const { chain, method, target, value, fee, asset, payloadSha256 } = decision
  return { chain, method, target, value, fee, asset, payloadSha256 }
}

const noFacts: RequestFacts = {
  chain: null,
  method: null,
  target: null,
  value: null,
  fee: null,
  asset: null,
  payloadSha256: null,
}
