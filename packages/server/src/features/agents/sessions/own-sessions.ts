import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AgentPolicy } from '@symbolon/api'
import { lockOrganization } from '../../../db/organization-lock.ts'
import type { Queryable, Sql, Transaction } from '../../../db/pool.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { type AgentRow, agentsStore } from '../registry/agents.store.ts'
import { agentSessionsStore } from './agent-sessions.store.ts'
import { ownTokenKey } from './own-token-key.ts'
import { type GrantSigner, type MadeGrant, makeGrant } from './session-grants.ts'
import { type Surroundings, sessionLayersStore } from './session-layers.store.ts'

/**
 * The context for sealing the sessions of agents' own runs. They have no token and no layer of their own: the agent's policy alone limits
 * them. A member's request that changes the agent's policy or the organization's rules seals their grants again, since a grant never
 * allows more than the layers it was sealed under.
 */
export type OwnSessionsCtx = { sql: Sql; pepper: KeyObject; signer: GrantSigner }

/** A sealed grant for an agent's own session, not stored yet. */
export type PreparedGrant = {
  sessionId: string
  policyVersion: number
  around: { walletId: string; agentId: string }
  surroundings: Surroundings
  made: MadeGrant
}

type Owner = Pick<AgentRow, 'id' | 'organizationId' | 'walletId' | 'sessionId'>
type SealFailure = Failure<'invalid_request' | 'unavailable'>

// Each further try takes a change of the rules or of the agent while a grant is sealed.
const triesMax = 50
const refreshedAtOnce = 8

/** Seals the first grant of an agent that is about to be stored. */
export const sealFirstGrant = (
  ctx: OwnSessionsCtx,
  owner: Owner,
  policy: AgentPolicy,
  surroundings: Surroundings,
): Promise<PreparedGrant | SealFailure> => seal(ctx, owner, policy, { surroundings, policyVersion: 1 })

/** Seals a grant under another policy; undefined where it is sealed under that already, or was revoked, which is final. */
export async function sealGrant(
  ctx: OwnSessionsCtx,
  agent: AgentRow,
  policy: AgentPolicy,
): Promise<PreparedGrant | SealFailure | undefined> {
  const sealed = await agentSessionsStore.grantOf(ctx.sql, agent.sessionId)
  if (sealed === undefined) return undefined
  const around = { walletId: agent.walletId, agentId: agent.id }
  const surroundings = await sessionLayersStore.read(ctx.sql, agent.organizationId, around)
  const wanted = { organization: surroundings.rules, agent: policy }
  if (isDeepStrictEqual(sealed.sealedUnder, wanted)) return undefined
  return seal(ctx, agent, policy, { surroundings, policyVersion: sealed.version + 1 })
}

/** Stores the first grant with its session. Behind the lock, where its surroundings are unchanged. */
export const insertOwnSession = (
  tx: Transaction,
  organizationId: string,
  { sessionId: id, around, made }: PreparedGrant,
): Promise<void> =>
  agentSessionsStore.insert(tx, {
    ...made,
    ...around,
    id,
    organizationId,
    name: 'Own runs',
    policy: {},
    clipped: [],
    token: null,
    expiresAt: null,
  })

/** Stores a further grant; false where its surroundings have changed since. Behind the lock. */
export async function putGrant(
  tx: Transaction,
  organizationId: string,
  prepared: PreparedGrant,
): Promise<boolean> {
  if (!(await isUnchanged(tx, organizationId, prepared))) return false
  const { sessionId: id, policyVersion, made } = prepared
  return agentSessionsStore.putGrant(tx, { ...made, id, policyVersion, clipped: [] })
}

/** Seals the grants of all agents of an organization again, under its rules as they are now. */
export async function refreshOwnSessions(
  ctx: OwnSessionsCtx,
  organizationId: string,
): Promise<SealFailure | undefined> {
  const waiting = await agentsStore.activeIds(ctx.sql, organizationId)
  const work = async (): Promise<SealFailure | undefined> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const failed = await refresh(ctx, organizationId, id)
      if (failed !== undefined) return failed
    }
    return undefined
  }
  const outcomes = await Promise.all(Array.from({ length: refreshedAtOnce }, work))
  return outcomes.find(isFailure)
}

async function refresh(
  ctx: OwnSessionsCtx,
  organizationId: string,
  agentId: string,
): Promise<SealFailure | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    const agent = await agentsStore.get(ctx.sql, organizationId, agentId)
    if (agent === undefined || agent.status === 'archived') return undefined
    const prepared = await sealGrant(ctx, agent, agent.policy)
    if (prepared === undefined || isFailure(prepared)) return prepared
    const isPut = await ctx.sql.begin(async (tx) => {
      await lockOrganization(tx, organizationId)
      return putGrant(tx, organizationId, prepared)
    })
    if (isPut) return undefined
  }
  return failure('unavailable')
}

async function seal(
  { pepper, signer }: OwnSessionsCtx,
  owner: Owner,
  policy: AgentPolicy,
  { surroundings, policyVersion }: { surroundings: Surroundings; policyVersion: number },
): Promise<PreparedGrant | SealFailure> {
  const { id: agentId, organizationId, walletId, sessionId } = owner
  const agent = { walletId, status: 'active', policyVersion: '1', ...surroundings.agent, policy } as const
  const made = await makeGrant(signer, {
    organizationId,
    walletId,
    sessionId,
    policyVersion,
    tokenKey: ownTokenKey(pepper, sessionId),
    policy: {},
    surroundings: { ...surroundings, agent },
  })
  if (isFailure(made)) return made
  return { sessionId, policyVersion, around: { walletId, agentId }, surroundings, made }
}

const isUnchanged = async (tx: Queryable, organizationId: string, { around, surroundings }: PreparedGrant) =>
  sessionLayersStore.isUnchanged(surroundings, await sessionLayersStore.read(tx, organizationId, around))
