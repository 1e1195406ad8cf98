import { isDeepStrictEqual } from 'node:util'
import type { Agent, AgentPolicy, AuditEventType, ChangeAgent, CreateAgent } from '@symbolon/api'
import { lockOrganization } from '../../../db/organization-lock.ts'
import type { Transaction } from '../../../db/pool.ts'
import type { MemberPrincipal } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import type { Audit } from '../../audit/index.ts'
import { tellEnclaveNow } from '../../custody/index.ts'
import { isMember } from '../../members/index.ts'
import { checkPolicy } from '../../spending/index.ts'
import { agentRunsStore } from '../runs/agent-runs.store.ts'
import { agentSessionsStore } from '../sessions/agent-sessions.store.ts'
import { checkWallet } from '../sessions/agent-sessions.ts'
import {
  insertOwnSession,
  type OwnSessionsCtx,
  putGrant,
  sealFirstGrant,
  sealGrant,
} from '../sessions/own-sessions.ts'
import { sessionLayersStore } from '../sessions/session-layers.store.ts'
import { type AgentChange, type AgentRow, agentsStore } from './agents.store.ts'

/** The context for managing agents: `runners` are those of this installation, by name. */
export type AgentsCtx = OwnSessionsCtx & { ids: Ids; audit: Audit; runners: ReadonlySet<string> }

type PolicyFailure = Failure<'invalid_request' | 'chain_unsupported' | 'not_found' | 'unavailable'>
type CreateFailure = PolicyFailure | Failure<'wallet_not_found' | 'wallet_not_tee_mode' | 'wallet_archived'>
type ChangeFailure = PolicyFailure | Failure<'agent_archived'>

// Of those who change something at the same time, each round lets one through.
const triesMax = 50

/** Makes an agent of a TEE wallet, with the session of its own runs. */
export async function createAgent(
  ctx: AgentsCtx,
  principal: MemberPrincipal,
  request: CreateAgent,
): Promise<AgentRow | CreateFailure> {
  const invalid = checkSettings(ctx, request)
  if (invalid !== undefined) return invalid
  for (let tries = 0; tries < triesMax; tries++) {
    const made = await createOnce(ctx, principal, request)
    if (made !== undefined) return made
  }
  return failure('unavailable')
}

/** Changes the given settings. A policy applies once this returns, and widens no session that was minted before. */
export async function changeAgent(
  ctx: AgentsCtx,
  principal: MemberPrincipal,
  id: string,
  { objective_template: objectiveTemplate, ...rest }: ChangeAgent,
): Promise<AgentRow | ChangeFailure> {
  const invalid = checkSettings(ctx, rest)
  if (invalid !== undefined) return invalid
  const change = { ...rest, ...(objectiveTemplate !== undefined && { objectiveTemplate }) }
  for (let tries = 0; tries < triesMax; tries++) {
    const changed = await changeOnce(ctx, principal, id, change)
    if (changed === undefined) continue
    if (!isFailure(changed) && change.policy !== undefined) await tellOfIt(ctx)
    return changed
  }
  return failure('unavailable')
}

/** Ends an agent for good, with its sessions and runs. An archived agent stays so. */
export async function archiveAgent(
  ctx: AgentsCtx,
  principal: MemberPrincipal,
  id: string,
): Promise<undefined | Failure<'not_found'>> {
  const refused = await asMember(ctx, principal, async (tx) => {
    const outcome = await agentsStore.archive(tx, principal.organization.id, id)
    if (outcome === undefined) return failure('not_found')
    if (outcome === 'already') return undefined
    const revoked = await agentSessionsStore.revokeOfAgent(tx, id)
    await agentRunsStore.cancelOfAgent(tx, id)
    const payload = { agent_id: id, revoked_sessions: revoked }
    await record(ctx, tx, 'agent.archived', principal, { payload })
    return undefined
  })
  if (refused === undefined) await tellOfIt(ctx)
  return refused
}

const tellOfIt = ({ sql, signer }: AgentsCtx): Promise<void> =>
  tellEnclaveNow({ sql, enclave: signer.enclave })

/** Undefined where the rules or the wallet have changed meanwhile. */
async function createOnce(
  ctx: AgentsCtx,
  principal: MemberPrincipal,
  request: CreateAgent,
): Promise<AgentRow | CreateFailure | undefined> {
  const { id: organizationId } = principal.organization
  const agent = newAgent(ctx.ids, organizationId, request)
  const around = { walletId: agent.walletId, agentId: null }
  const surroundings = await sessionLayersStore.read(ctx.sql, organizationId, around)
  const refused = checkWallet(surroundings.wallet)
  if (refused !== undefined) return refused
  const prepared = await sealFirstGrant(ctx, agent, agent.policy, surroundings)
  if (isFailure(prepared)) return prepared
  return asMember(ctx, principal, async (tx) => {
    const now = await sessionLayersStore.read(tx, organizationId, around)
    const refusedNow = checkWallet(now.wallet)
    if (refusedNow !== undefined) return refusedNow
    if (!sessionLayersStore.isUnchanged(surroundings, now)) return undefined
    await agentsStore.insert(tx, agent)
    await insertOwnSession(tx, organizationId, prepared)
    const payload = { agent_id: agent.id, session_id: agent.sessionId, runner: agent.runner }
    await record(ctx, tx, 'agent.created', principal, { walletId: agent.walletId, payload })
    return agentsStore.get(tx, organizationId, agent.id)
  })
}

/** Undefined where somebody else has changed the agent, or the rules, meanwhile. */
async function changeOnce(
  ctx: AgentsCtx,
  principal: MemberPrincipal,
  id: string,
  change: AgentChange,
): Promise<AgentRow | ChangeFailure | undefined> {
  const { id: organizationId } = principal.organization
  const before = await agentsStore.get(ctx.sql, organizationId, id)
  if (before === undefined) return failure('not_found')
  if (before.status === 'archived') return failure('agent_archived')
  const isNewPolicy = change.policy !== undefined && !isDeepStrictEqual(change.policy, before.policy)
  const prepared = isNewPolicy && change.policy ? await sealGrant(ctx, before, change.policy) : undefined
  if (isFailure(prepared)) return prepared
  return asMember(ctx, principal, async (tx) => {
    const now = await agentsStore.get(tx, organizationId, id)
    if (now?.status !== 'active') return failure('agent_archived')
    if (now.policyVersion !== before.policyVersion) return undefined
    const changed = (Object.keys(change) as (keyof AgentChange)[]).filter(
      (name) => !isDeepStrictEqual(change[name], now[name]),
    )
    if (changed.length === 0) return now
    // The grant first: it was made under the policy's version before.
    if (prepared !== undefined && !(await putGrant(tx, organizationId, prepared))) return undefined
    await agentsStore.update(tx, id, { ...now, ...change, isNewPolicy })
    const payload = { agent_id: id, changed: changed.map(wireName) }
    await record(ctx, tx, 'agent.updated', principal, { payload })
    return agentsStore.get(tx, organizationId, id)
  })
}

const newAgent = (ids: Ids, organizationId: string, request: CreateAgent) => ({
  id: ids.next(),
  organizationId,
  walletId: request.wallet_id,
  name: request.name,
  description: request.description ?? '',
  runner: request.runner ?? 'intent',
  objectiveTemplate: request.objective_template ?? '{{objective}}',
  policy: request.policy ?? {},
  skills: request.skills ?? [],
  sessionId: ids.next(),
})

function checkSettings(
  { runners }: AgentsCtx,
  { policy, runner }: { policy?: AgentPolicy; runner?: Agent['runner'] },
): Failure<'chain_unsupported' | 'invalid_request'> | undefined {
  const invalid = policy && checkPolicy(policy)
  if (invalid !== undefined || runner === undefined || runners.has(runner)) return invalid
  const issues = [{ path: ['runner'], message: 'is not available here' }]
  return failure('invalid_request', { details: { issues } })
}

/** Runs `work` behind the organization's lock, for somebody who still is a member. */
const asMember = <result>(
  { sql }: AgentsCtx,
  principal: MemberPrincipal,
  work: (tx: Transaction) => Promise<result>,
): Promise<result | Failure<'not_found'>> =>
  sql.begin<result | Failure<'not_found'>>(async (tx) => {
    if (!(await isMember(tx, principal))) return failure('not_found')
    await lockOrganization(tx, principal.organization.id)
    return work(tx)
  })

const record = (
  { audit }: AgentsCtx,
  tx: Transaction,
  type: Extract<AuditEventType, 'agent.created' | 'agent.updated' | 'agent.archived'>,
  { organization, user }: MemberPrincipal,
  event: { walletId?: string; payload: Record<string, unknown> },
): Promise<void> =>
  audit.append(tx, {
    ...event,
    organizationId: organization.id,
    type,
    actorType: 'portal_user',
    actorId: user.id,
    success: true,
  })

const wireName = (name: keyof AgentChange) => (name === 'objectiveTemplate' ? 'objective_template' : name)
