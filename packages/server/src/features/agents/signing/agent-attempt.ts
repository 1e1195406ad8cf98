import type { AuditEventType, SignRequest } from '@symbolon/api'
import { type Chain, networks, type Payload, parsePayload, type SignIntent } from '@symbolon/networks'
import type { Decision as Judgement } from '@symbolon/policy'
import type { AgentSessionCaller, Organization } from '../../../http/caller.ts'
import type { AuditEvent } from '../../audit/index.ts'
import type { ReadyWallet } from '../../wallets/index.ts'
import { type AttemptFacts, type Decision, noFacts } from './agent-decision.ts'

/** The session that asks, and its organization. */
export type AgentActor = { organization: Organization; session: AgentSessionCaller }

/** A try to sign: who, in which run, and what of it is known so far. */
export type AgentAttempt = {
  actor: AgentActor
  runId: string | null
  /** `type` of the request, for the audit log; null where the request did not parse. */
  type: SignRequest['type'] | null
  chain: string | null
  /** The request named no chain: `chain` is the one of its curve. */
  isChainAssumed?: boolean
  wallet?: Pick<ReadyWallet, 'userIdentityId'>
}

/** What an attempt asks the enclave to sign. `operation` is JSON of a stored operation whose hash it is. */
export type AgentPayload = {
  wallet: ReadyWallet
  chain: Chain
  intent: SignIntent
  /** The intent taken apart, once; throws `NetworkError` where that cannot be done, which counts after what the policy says. */
  parsed(): Payload
  operation?: string
}

/** A payload of a wallet, not taken apart before somebody asks. */
export function agentPayload(
  wallet: ReadyWallet,
  chain: Chain,
  intent: SignIntent,
  operation?: string,
): AgentPayload {
  const { curve, publicKey, addresses } = wallet
  let payload: Payload | undefined
  return {
    wallet,
    chain,
    intent,
    parsed() {
      payload ??= parsePayload(networks, intent, curve, publicKey, { address: addresses[chain.addressName] })
      return payload
    },
    ...(operation !== undefined && { operation }),
  }
}

/** A handle as events name it: that of a chain that exists, or null; what else a caller sends is no word of ours. */
export const knownChain = (handle: string | undefined): string | null =>
  networks.chain(handle ?? '')?.handle ?? null

/** What policies call a request. */
export const methodOf = (type: SignRequest['type']): 'signMessage' | 'sendTransaction' =>
  type === 'transaction' || type === 'user_operation' || type === 'authorization'
    ? 'sendTransaction'
    : 'signMessage'

/** An attempt's end as the database is told. */
export function decisionOn(
  attempt: AgentAttempt,
  end: Pick<Decision, 'outcome' | 'reason' | 'layer'> &
    Partial<Pick<Decision, 'txHash' | 'guard' | 'send'>> & { facts?: AttemptFacts; errorCode?: string },
): Decision {
  const { actor, runId, type, chain } = attempt
  const { facts, errorCode, ...rest } = end
  return {
    organizationId: actor.organization.id,
    sessionId: actor.session.id,
    runId,
    txHash: null,
    facts: facts ?? { ...noFacts, chain, method: type === null ? null : methodOf(type) },
    ...rest,
    // What never was a request to sign is no business of the audit log.
    ...(type !== null && { audit: auditEventOf(attempt, end.reason, end.layer, errorCode) }),
  }
}

function auditEventOf(
  { actor, type, chain, wallet }: AgentAttempt,
  reason: string | null,
  layer: string | null,
  errorCode: string | undefined,
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
      ...(agentId !== null && { agent_id: agentId }),
      ...(reason !== null && { reason }),
      ...(layer !== null && { layer }),
    },
    success: errorCode === undefined,
    ...(errorCode !== undefined && { errorCode }),
  }
}

/** What a judgement tells an event. */
export const factsOf = ({ chain, method, target, value, asset, payloadSha256 }: Judgement): AttemptFacts => ({
  chain,
  method,
  target,
  value,
  asset,
  payloadSha256,
})
