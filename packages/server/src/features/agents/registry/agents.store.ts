import type { Agent, AgentPolicy, AgentSkill } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'

/** An agent as the database has it. */
export type AgentRow = {
  id: string
  organizationId: string
  walletId: string
  name: string
  description: string
  runner: Agent['runner']
  objectiveTemplate: string
  policy: AgentPolicy
  policyVersion: string
  skills: AgentSkill[]
  status: 'active' | 'archived'
  sessionId: string
  createdAt: Date
  updatedAt: Date
  archivedAt: Date | null
}

/** A new agent. */
export type NewAgent = Omit<AgentRow, 'policyVersion' | 'status' | 'createdAt' | 'updatedAt' | 'archivedAt'>

/** The settings of an agent that may change. */
export type AgentChange = Partial<
  Pick<AgentRow, 'name' | 'description' | 'runner' | 'objectiveTemplate' | 'policy' | 'skills'>
>

const columns = `a.id, a.organization_id as "organizationId", a.wallet_id as "walletId", a.name, a.description, a.runner,
  a.objective_template as "objectiveTemplate", a.policy, a.policy_version::text as "policyVersion", a.skills, a.status,
  a.session_id as "sessionId", a.created_at as "createdAt", a.updated_at as "updatedAt", a.archived_at as "archivedAt"`

/** The statements of agents. */
export const agentsStore = {
  async get(sql: Queryable, organizationId: string, id: string): Promise<AgentRow | undefined> {
    const rows = await sql<AgentRow[]>`
      select ${sql.unsafe(columns)} from agents a where a.id = ${id} and a.organization_id = ${organizationId}`
    return rows[0]
  },

  /** A page, newest first, with the exact number of all that match. */
  async list(
    sql: Queryable,
    query: { organizationId: string; limit: number; offset: number; status?: AgentRow['status'] },
  ): Promise<{ items: AgentRow[]; total: number }> {
    const { organizationId, limit, offset, status } = query
    const matching = sql`a.organization_id = ${organizationId}
      ${status === undefined ? sql`` : sql`and a.status = ${status}`}`
    const rows = await sql<(AgentRow & { total: string })[]>`
      select t.total, p.* from (select count(*) as total from agents a where ${matching}) t
      left join lateral (
        select ${sql.unsafe(columns)} from agents a where ${matching} order by a.id desc limit ${limit} offset ${offset}) p on true
      order by p.id desc`
    return {
      total: Number(rows[0]?.total ?? 0),
      // The total comes with every row; the one row of an empty page has no agent.
      items: rows.filter(({ id }) => id !== null).map(({ total: _, ...row }) => row),
    }
  },

  /** An agent of any organization, unless it is archived. */
  async active(sql: Queryable, id: string): Promise<AgentRow | undefined> {
    const rows = await sql<AgentRow[]>`
      select ${sql.unsafe(columns)} from agents a where a.id = ${id} and a.status = 'active'`
    return rows[0]
  },

  /** The active agents of an organization, by id. */
  async activeIds(sql: Queryable, organizationId: string): Promise<string[]> {
    const rows = await sql<{ id: string }[]>`
      select id from agents where organization_id = ${organizationId} and status = 'active' order by id`
    return rows.map(({ id }) => id)
  },

  async insert(tx: Queryable, agent: NewAgent): Promise<void> {
    await tx`
      insert into agents (id, organization_id, wallet_id, name, description, runner, objective_template, policy, skills, session_id)
      values (${agent.id}, ${agent.organizationId}, ${agent.walletId}, ${agent.name}, ${agent.description}, ${agent.runner},
        ${agent.objectiveTemplate}, ${JSON.stringify(agent.policy)}::text::jsonb, ${JSON.stringify(agent.skills)}::text::jsonb,
        ${agent.sessionId})`
  },

  /** Writes an agent's settings; another policy is a new version. Behind the organization's lock. */
  async update(
    tx: Queryable,
    id: string,
    agent: Required<AgentChange> & { isNewPolicy: boolean },
  ): Promise<void> {
    await tx`
      update agents set name = ${agent.name}, description = ${agent.description}, runner = ${agent.runner},
        objective_template = ${agent.objectiveTemplate}, policy = ${JSON.stringify(agent.policy)}::text::jsonb,
        policy_version = policy_version + ${agent.isNewPolicy ? 1 : 0}, skills = ${JSON.stringify(agent.skills)}::text::jsonb,
        updated_at = date_trunc('milliseconds', app_now())
      where id = ${id}`
  },

  /**
   * Archives an agent; a new version of its policy refuses what was evaluated before. Returns `archived`, `already`, or undefined where the
   * organization has no such agent. Behind the organization's lock.
   */
  async archive(
    tx: Queryable,
    organizationId: string,
    id: string,
  ): Promise<'archived' | 'already' | undefined> {
    const rows = await tx<{ wasActive: boolean }[]>`
      with clock as materialized (select date_trunc('milliseconds', app_now()) as now),
      found as materialized (
        select id, status = 'active' as was_active from agents
        where id = ${id} and organization_id = ${organizationId} for no key update),
      archived as (
        update agents a set status = 'archived', archived_at = clock.now, updated_at = clock.now, policy_version = policy_version + 1
        from found f, clock where a.id = f.id and f.was_active)
      select was_active as "wasActive" from found`
    const [row] = rows
    if (row === undefined) return undefined
    return row.wasActive ? 'archived' : 'already'
  },
}
