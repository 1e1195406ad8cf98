import { isDeepStrictEqual } from 'node:util'
import type { Agent, AgentPolicy, AuditEventType, ChangeAgent, CreateAgent, Fail } from '@symbolon/api'
import type { Sql, Transaction } from '../../../db/pool.ts'
import type { MemberPrincipal } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Audit } from '../../audit/index.ts'
import type { IsMember } from '../../spending/index.ts'
import type { OwnSessions } from '../sessions/own-sessions.ts'
import type { SessionLayers, Surroundings } from '../sessions/session-layers.store.ts'
import { agentToWire } from './agent.ts'
import { type AgentChange, type AgentRow, agentsStore } from './agents.store.ts'

type PolicyErrors = 'invalid_request' | 'chain_unsupported' | 'not_found' | 'unavailable'
type CreateErrors = PolicyErrors | 'wallet_not_found' | 'wallet_not_tee_mode' | 'wallet_archived'
type ChangeErrors = PolicyErrors | 'agent_archived'

// Of those who change something at the same time one is through each time.
const triesMax = 50

/** The agents of organizations, as their members manage them. */
export function agents({
  sql,
  ids,
  audit,
  layers,
  ownSessions,
  checkPolicy,
  checkWallet,
  isMember,
  isRunnerAllowed,
  cancelRuns,
  baseUrl,
}: {
  sql: Sql
  ids: Ids
  audit: Audit
  layers: SessionLayers
  ownSessions: OwnSessions
  checkPolicy: (policy: AgentPolicy, fail: Fail<'chain_unsupported' | 'invalid_request'>) => void
  checkWallet: (
    wallet: Surroundings['wallet'],
    fail: Fail<'wallet_not_found' | 'wallet_not_tee_mode' | 'wallet_archived'>,
  ) => void
  isMember: IsMember
  isRunnerAllowed: (runner: Agent['runner']) => boolean
  /** Ends all runs of an agent, in the transaction that archives it. */
  cancelRuns: (tx: Transaction, ended: { agentId: string }) => Promise<void>
  baseUrl: string
}) {
  const wire = (row: AgentRow) => agentToWire(row, baseUrl)

  /** Behind the lock, for somebody who still is a member. */
  async function begin<result>(
    { organization, user, role }: MemberPrincipal,
    run: (tx: Transaction) => Promise<result>,
    fail: Fail<'not_found'>,
  ): Promise<result> {
    const { id: organizationId } = organization
    const answer = await sql.begin(async (tx) => {
      if (!(await isMember(tx, { organizationId, userId: user.id, role }))) throw fail('not_found')
      await layers.lock(tx, organizationId)
      return { result: await run(tx) }
    })
    return (answer as { result: result }).result
  }

  async function record(
    tx: Transaction,
    type: Extract<AuditEventType, 'agent.created' | 'agent.updated' | 'agent.archived'>,
    { organization, user }: MemberPrincipal,
    what: { walletId?: string; payload: Record<string, unknown> },
  ): Promise<void> {
    const actor = { actorType: 'portal_user', actorId: user.id } as const
    await audit.append(tx, { ...what, ...actor, organizationId: organization.id, type, success: true })
  }

  function check(
    { policy, runner }: { policy?: AgentPolicy; runner?: Agent['runner'] },
    fail: Fail<'chain_unsupported' | 'invalid_request'>,
  ): void {
    if (policy !== undefined) checkPolicy(policy, fail)
    if (runner === undefined || isRunnerAllowed(runner)) return
    const issues = [{ path: ['runner'], message: 'is not available here' }]
    throw fail('invalid_request', { details: { issues } })
  }

  async function createOnce(
    principal: MemberPrincipal,
    request: CreateAgent,
    fail: Fail<CreateErrors>,
  ): Promise<AgentRow | undefined> {
    const { id: organizationId } = principal.organization
    const agent = {
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
    }
    const around = { walletId: agent.walletId, agentId: null }
    const surroundings = await layers.read(sql, organizationId, around)
    checkWallet(surroundings.wallet, fail)
    const prepared = await ownSessions.prepareFirst(agent, agent.policy, surroundings, fail)
    return begin(
      principal,
      async (tx) => {
        const now = await layers.read(tx, organizationId, around)
        checkWallet(now.wallet, fail)
        if (!layers.isUnchanged(surroundings, now)) return undefined
        await agentsStore.insert(tx, agent)
        await ownSessions.insert(tx, organizationId, prepared)
        const payload = { agent_id: agent.id, session_id: agent.sessionId, runner: agent.runner }
        await record(tx, 'agent.created', principal, { walletId: agent.walletId, payload })
        return agentsStore.get(tx, organizationId, agent.id)
      },
      fail,
    )
  }

  /** Undefined when somebody else has changed it, or the rules, meanwhile. */
  async function changeOnce(
    principal: MemberPrincipal,
    id: string,
    change: AgentChange,
    fail: Fail<ChangeErrors>,
  ): Promise<AgentRow | undefined> {
    const { id: organizationId } = principal.organization
    const before = await agentsStore.get(sql, organizationId, id)
    if (before === undefined) throw fail('not_found')
    if (before.status === 'archived') throw fail('agent_archived')
    const isNewPolicy = change.policy !== undefined && !isDeepStrictEqual(change.policy, before.policy)
    const prepared =
      isNewPolicy && change.policy ? await ownSessions.prepare(before, change.policy, fail) : undefined
    return begin(
      principal,
      async (tx) => {
        const now = await agentsStore.get(tx, organizationId, id)
        if (now?.status !== 'active') throw fail('agent_archived')
        if (now.policyVersion !== before.policyVersion) return undefined
        const changed = (Object.keys(change) as (keyof AgentChange)[]).filter(
          (name) => !isDeepStrictEqual(change[name], now[name]),
        )
        if (changed.length === 0) return now
        // The grant first: it is made under the policy's version before.
        if (prepared !== undefined && !(await ownSessions.put(tx, organizationId, prepared))) return undefined
        await agentsStore.update(tx, id, { ...now, ...change, isNewPolicy })
        await record(tx, 'agent.updated', principal, {
          payload: { agent_id: id, changed: changed.map(wireName) },
        })
        return agentsStore.get(tx, organizationId, id)
      },
      fail,
    )
  }

  return {
    async get(organizationId: string, id: string, fail: Fail<'not_found'>): Promise<Agent> {
      const agent = await agentsStore.get(sql, organizationId, id)
      if (agent === undefined) throw fail('not_found')
      return wire(agent)
    },

    /** A page of an organization's agents. */
    async list(query: Parameters<typeof agentsStore.list>[1]): Promise<{ items: Agent[]; total: number }> {
      const { items, total } = await agentsStore.list(sql, query)
      return { items: items.map(wire), total }
    },

    /** Makes an agent of a TEE wallet, with the session of its own runs. */
    async create(principal: MemberPrincipal, request: CreateAgent, fail: Fail<CreateErrors>): Promise<Agent> {
      check(request, fail)
      for (let tries = 0; tries < triesMax; tries++) {
        const made = await createOnce(principal, request, fail)
        if (made !== undefined) return wire(made)
      }
      throw fail('unavailable')
    },

    /** Changes what is given. A policy holds from the answer on, and widens no session that was minted before. */
    async change(
      principal: MemberPrincipal,
      id: string,
      { objective_template, ...rest }: ChangeAgent,
      fail: Fail<ChangeErrors>,
    ): Promise<Agent> {
      check(rest, fail)
      const change = {
        ...rest,
        ...(objective_template !== undefined && { objectiveTemplate: objective_template }),
      }
      for (let tries = 0; tries < triesMax; tries++) {
        const changed = await changeOnce(principal, id, change, fail)
        if (changed !== undefined) return wire(changed)
      }
      throw fail('unavailable')
    },

    /** Ends an agent for good, with its sessions and runs. Archived ones stay so. */
    async archive(principal: MemberPrincipal, id: string, fail: Fail<'not_found'>): Promise<void> {
      await begin(
        principal,
        async (tx) => {
          const outcome = await agentsStore.archive(tx, principal.organization.id, id)
          if (outcome === undefined) throw fail('not_found')
          if (outcome === 'already') return
          const revoked = await ownSessions.revokeAll(tx, id)
          await cancelRuns(tx, { agentId: id })
          await record(tx, 'agent.archived', principal, {
            payload: { agent_id: id, revoked_sessions: revoked },
          })
        },
        fail,
      )
    },
  }
}

/** The agents of organizations. */
export type Agents = ReturnType<typeof agents>

const wireName = (name: keyof AgentChange) => (name === 'objectiveTemplate' ? 'objective_template' : name)
