import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AgentPolicy, Fail } from '@symbolon/api'
import type { Queryable, Sql, Transaction } from '../../../db/pool.ts'
import type { AgentRow } from '../registry/agents.store.ts'
import { agentSessionsStore } from './agent-sessions.store.ts'
import { ownTokenKey } from './own-token-key.ts'
import type { MadeGrant, SessionGrants } from './session-grants.ts'
import { type Surroundings, sessionLayersStore } from './session-layers.store.ts'

/** A grant for an agent's own session that waits to be stored. */
export type PreparedGrant = {
  sessionId: string
  policyVersion: number
  around: { walletId: string; agentId: string }
  surroundings: Surroundings
  made: MadeGrant
}

type Owner = Pick<AgentRow, 'id' | 'organizationId' | 'walletId' | 'sessionId'>

// Of those who change something at the same time one is through each time.
const triesMax = 50
const refreshedAtOnce = 8

/**
 * The sessions that agents have for their own runs: no token, no layer of their own, so that the agent's policy alone limits them. Their
 * grants are sealed anew, by a request of a member, when the agent's policy or the organization's rules change: otherwise what they were
 * sealed under would hold for ever.
 */
export function ownSessions({
  sql,
  pepper,
  grants,
  agents,
}: {
  sql: Sql
  pepper: KeyObject
  grants: SessionGrants
  agents: {
    get(sql: Queryable, organizationId: string, id: string): Promise<AgentRow | undefined>
    activeIds(sql: Queryable, organizationId: string): Promise<string[]>
  }
}) {
  type Fails = Fail<'invalid_request' | 'unavailable'>

  async function seal(
    owner: Owner,
    policy: AgentPolicy,
    { surroundings, policyVersion }: { surroundings: Surroundings; policyVersion: number },
    fail: Fails,
  ): Promise<PreparedGrant> {
    const { id: agentId, organizationId, walletId, sessionId } = owner
    const agent = { walletId, status: 'active', policyVersion: '1', ...surroundings.agent, policy } as const
    const made = await grants.make(
      {
        organizationId,
        walletId,
        sessionId,
        policyVersion,
        tokenKey: ownTokenKey(pepper, sessionId),
        policy: {},
        surroundings: { ...surroundings, agent },
      },
      fail,
    )
    return { sessionId, policyVersion, around: { walletId, agentId }, surroundings, made }
  }

  const isStillSo = async (tx: Queryable, organizationId: string, { around, surroundings }: PreparedGrant) =>
    sessionLayersStore.isUnchanged(surroundings, await sessionLayersStore.read(tx, organizationId, around))

  /** Undefined where there is nothing to seal: the session was revoked, or is sealed so already. */
  async function prepare(
    agent: AgentRow,
    policy: AgentPolicy,
    fail: Fails,
  ): Promise<PreparedGrant | undefined> {
    const sealed = await agentSessionsStore.grantOf(sql, agent.sessionId)
    if (sealed === undefined) return undefined
    const around = { walletId: agent.walletId, agentId: agent.id }
    const surroundings = await sessionLayersStore.read(sql, agent.organizationId, around)
    const wanted = { organization: surroundings.rules, agent: policy }
    if (isDeepStrictEqual(sealed.sealedUnder, wanted)) return undefined
    return seal(agent, policy, { surroundings, policyVersion: sealed.version + 1 }, fail)
  }

  async function put(tx: Transaction, organizationId: string, prepared: PreparedGrant): Promise<boolean> {
    if (!(await isStillSo(tx, organizationId, prepared))) return false
    const { sessionId: id, policyVersion, made } = prepared
    return agentSessionsStore.putGrant(tx, { ...made, id, policyVersion, clipped: [] })
  }

  async function refresh(organizationId: string, agentId: string, fail: Fails): Promise<void> {
    for (let tries = 0; tries < triesMax; tries++) {
      const agent = await agents.get(sql, organizationId, agentId)
      if (agent === undefined || agent.status === 'archived') return
      const prepared = await prepare(agent, agent.policy, fail)
      if (prepared === undefined) return
      const isPut = await sql.begin(async (tx) => {
        await sessionLayersStore.lock(tx, organizationId)
        return put(tx, organizationId, prepared)
      })
      if (isPut) return
    }
    throw fail('unavailable')
  }

  return {
    /** Seals the first grant of an agent that is about to be stored. */
    prepareFirst: (owner: Owner, policy: AgentPolicy, surroundings: Surroundings, fail: Fails) =>
      seal(owner, policy, { surroundings, policyVersion: 1 }, fail),

    /** Seals a grant under another policy; undefined where it is sealed so already, or was revoked, which stays so. */
    prepare,

    /** Stores the first grant with its session. Behind the lock, and where its surroundings are still so. */
    async insert(
      tx: Transaction,
      organizationId: string,
      { sessionId: id, around, made }: PreparedGrant,
    ): Promise<void> {
      await agentSessionsStore.insert(tx, {
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
    },

    /** Ends the session of an agent's own runs with all that its tokens have; answers how many were active. Behind the lock. */
    revokeAll: agentSessionsStore.revokeOfAgent,

    /** Stores a further grant; false when its surroundings have changed since. Behind the lock. */
    put,

    /** Seals the grants of all agents of an organization anew, under its rules as they are now. */
    async refreshAll(organizationId: string, fail: Fails): Promise<void> {
      const waiting = await agents.activeIds(sql, organizationId)
      const work = async () => {
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
          await refresh(organizationId, id, fail)
      }
      await Promise.all(Array.from({ length: refreshedAtOnce }, work))
    },
  }
}

/** The sessions of agents' own runs. */
export type OwnSessions = ReturnType<typeof ownSessions>
