import type { AgentSkill } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'
import type { ToolHolder } from '../../agents/index.ts'

/** An active agent as its card describes it. */
export type CardAgent = {
  id: string
  organizationId: string
  organizationName: string
  name: string
  description: string
  skills: AgentSkill[]
  /** The agent as the holder of tools, under its own policy and the organization's rules. */
  holder: ToolHolder
}

/** The states of a task that runs have. */
export type TaskStateName = 'submitted' | 'working' | 'input-required' | 'completed' | 'failed' | 'canceled'

/** The tasks of a caller with an agent. */
export type TaskScope = { organizationId: string; agentId: string; caller: string }

/**
 * A run as its caller sees it. `message`: the first one, `dialog`: questions and answers since, in order.
 */
export type TaskRun = {
  id: string
  callerKey: string | null
  state: TaskStateName
  contextId: string | null
  message: unknown
  objective: string
  question: string | null
  result: unknown
  error: string | null
  version: number
  createdAt: Date
  updatedAt: Date
  dialog: readonly { seq: number; kind: 'ask' | 'resume'; input: unknown; output: unknown }[]
}

/** The tasks to list, newest change first; `after`: those behind the last one of the page before. */
export type TaskFilter = {
  contextId?: string
  state?: TaskStateName
  changedSince?: Date
  after?: { updatedAt: Date; id: string }
  limit: number
}

/**
 * Contents of tasks that are read beside their status, and may be large. Contents that are not read are missing.
 */
export type TaskContents = { hasHistory: boolean; hasArtifacts: boolean }

const columnsOf = ({ hasHistory, hasArtifacts }: TaskContents): string =>
  `r.id, r.caller_key as "callerKey", a2a_task_state(r.state, r.journal) as state, r.context_id as "contextId", r.question, r.error,
  r.version::integer as version, r.created_at as "createdAt", r.updated_at as "updatedAt",
  ${hasArtifacts ? 'r.result' : "case when r.state = 'failed' then r.result end as result"}, ${
    hasHistory
      ? `r.objective, r.metadata -> 'message' as message, coalesce((
    select jsonb_agg(jsonb_build_object('seq', s.seq, 'kind', s.kind, 'input', s.input, 'output', s.output) order by s.seq)
    from agent_run_steps s where s.run_id = r.id and s.tool = 'ask_user' and s.kind in ('ask', 'resume')), '[]') as dialog`
      : `'' as objective, null as message, '[]'::jsonb as dialog`
  }`

const columns = columnsOf({ hasHistory: true, hasArtifacts: true })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The statements of tasks: runs as their callers may see them. */
export const tasksStore = {
  /** An active agent of any organization. */
  async agent(sql: Queryable, agentId: string): Promise<CardAgent | undefined> {
    const rows = await sql<CardAgent[]>`
      select a.id, a.organization_id as "organizationId", o.name as "organizationName", a.name, a.description, a.skills,
        jsonb_build_object('policy', s.effective, 'supportedNetworks', o.supported_networks,
          'isEvmWallet', w.curve = 'secp256k1' and w.addresses ? 'evm') as holder
      from agents a join organizations o on o.id = a.organization_id
        join agent_sessions s on s.id = a.session_id join wallets w on w.id = a.wallet_id
      where a.id = ${agentId} and a.status = 'active'`
    return rows[0]
  },

  /** A task by the id that its caller gave it, or by its own. */
  async find(sql: Queryable, scope: TaskScope, taskId: string): Promise<TaskRun | undefined> {
    const rows = await sql<TaskRun[]>`
      select ${sql.unsafe(columns)} from agent_runs r
      where ${scoped(sql, scope)} and (r.caller_key = ${taskId} ${uuid.test(taskId) ? sql`or r.id = ${taskId}` : sql``})
      order by r.caller_key = ${taskId} desc nulls last limit 1`
    return rows[0]
  },

  /** A task by its run, of any caller. */
  async byRun(sql: Queryable, runId: string): Promise<TaskRun | undefined> {
    const rows = await sql<TaskRun[]>`select ${sql.unsafe(columns)} from agent_runs r where r.id = ${runId}`
    return rows[0]
  },

  /** Tasks with the wanted contents, newest change first. */
  async list(
    sql: Queryable,
    scope: TaskScope,
    filter: TaskFilter,
    contents: TaskContents,
  ): Promise<TaskRun[]> {
    const { after, limit } = filter
    const rows = await sql<TaskRun[]>`
      select ${sql.unsafe(columnsOf(contents))} from agent_runs r where ${filtered(sql, scope, filter)}
      ${after === undefined ? sql`` : sql`and (r.updated_at, r.id) < (${after.updatedAt}::timestamptz, ${after.id}::uuid)`}
      order by r.updated_at desc, r.id desc limit ${limit}`
    return [...rows]
  },

  /** Counts the tasks of all pages. */
  async count(sql: Queryable, scope: TaskScope, filter: TaskFilter): Promise<number> {
    const rows = await sql<{ total: number }[]>`
      select count(*)::integer as total from agent_runs r where ${filtered(sql, scope, filter)}`
    return rows[0]?.total ?? 0
  },
}

const filtered = (sql: Queryable, scope: TaskScope, { contextId, state, changedSince }: TaskFilter) =>
  sql`${scoped(sql, scope)}
    ${contextId === undefined ? sql`` : sql`and r.context_id = ${contextId}`}
    ${state === undefined ? sql`` : sql`and a2a_task_state(r.state, r.journal) = ${state}`}
    ${changedSince === undefined ? sql`` : sql`and r.updated_at >= ${changedSince}`}`

const scoped = (sql: Queryable, { organizationId, agentId, caller }: TaskScope) =>
  sql`r.agent_id = ${agentId} and r.caller = ${caller} and r.organization_id = ${organizationId}`
