import type { AgentRunState } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'
import type { ListedRun, Run, RunInput, RunStep } from './agent-run.ts'
import { storableJson, storableText } from './storable-json.ts'

/** Seconds that a run may work until it asks, delegates or ends. */
export const stretchSeconds = 900

/** The columns of a run `r`. */
export const runColumns = `r.id, r.organization_id as "organizationId", r.agent_id as "agentId", r.session_id as "sessionId",
  r.parent_run_id as "parentRunId", r.depth, r.source, r.caller, r.caller_key as "callerKey", r.state, r.objective, r.input,
  r.metadata, r.question, r.result, r.error, r.journal, r.steps, r.attempt, r.retries, r.version::integer as version,
  r.created_at as "createdAt", r.updated_at as "updatedAt", r.ended_at as "endedAt"`

// Long fields are cut in lists; the run itself has all of them.
const listedCharactersMax = 4_096

const listedColumns = `r.id, r.organization_id as "organizationId", r.agent_id as "agentId", r.session_id as "sessionId",
  r.parent_run_id as "parentRunId", r.depth, r.source, r.state, left(r.objective, ${listedCharactersMax}) as objective,
  coalesce(to_jsonb(r.result_beginning), r.result) as result, r.error, r.steps, r.created_at as "createdAt", r.updated_at as "updatedAt", r.ended_at as "endedAt",
  array_remove(array[
    case when octet_length(r.objective) > ${listedCharactersMax} and length(left(r.objective, ${listedCharactersMax + 1})) > ${listedCharactersMax}
      then 'objective' end,
    case when r.result_beginning is not null then 'result' end], null) as truncated`

const stretch = `${stretchSeconds} seconds`

/** A run to insert; without a session it is its agent's own. */
export type NewRun = {
  id: string
  organizationId: string
  agentId: string
  session?: { id: string; tokenKeySealed: Uint8Array }
  source: Run['source']
  caller: string
  callerKey: string | null
  objective: string
  input: RunInput
  metadata: Readonly<Record<string, unknown>>
}

/** The runs that somebody may see. */
export type RunScope = { organizationId: string; agentId: string; caller?: string }

/** The runs to list. */
export type RunFilter = RunScope & { state?: AgentRunState }

/** A message of a caller to an agent; the same hash is the same message. */
export type TakenMessage = { agentId: string; caller: string; hash: Uint8Array }

/** The outcome of a delegation. */
export type Delegated =
  | 'started'
  | 'exists'
  | 'lost'
  | 'agent_not_found'
  | 'same_wallet'
  | 'depth_limit'
  | 'children_limit'
  | 'objective_too_long'

/** The statements of runs, except the worker's. */
export const agentRunsStore = {
  /**
   * Inserts a run of an active agent; undefined where there is no such agent, its template makes the objective too long, or the caller has a run
   * of that key.
   */
  async insert(sql: Queryable, run: NewRun): Promise<Run | undefined> {
    const rows = await sql<Run[]>`
      insert into agent_runs as r (id, organization_id, agent_id, session_id, token_key_sealed, root_id, source, caller, caller_key,
        objective, input, metadata, due_at, deadline_at)
      select ${run.id}, a.organization_id, a.id, coalesce(${run.session?.id ?? null}::uuid, a.session_id),
        ${run.session?.tokenKeySealed ?? null}::bytea, ${run.id}, ${run.source}, ${run.caller}, ${run.callerKey},
        ${storableText(run.objective)}, ${storableJson(run.input)}::text::jsonb, ${storableJson(run.metadata)}::text::jsonb,
        app_now(), app_now() + ${stretch}::interval
      from agents a where a.id = ${run.agentId} and a.organization_id = ${run.organizationId} and a.status = 'active'
        and fits_agent_template(a, ${storableText(run.objective)}) for share of a
      on conflict (agent_id, caller, caller_key) do nothing
      returning ${sql.unsafe(runColumns)}`
    return rows[0]
  },

  /**
   * Takes a message of a caller for a run; returns the run that it was taken for before, if any. Another transaction that takes the same
   * message waits for the end of this one.
   */
  async takeMessage(
    tx: Queryable,
    { agentId, caller, hash, runId }: TakenMessage & { runId: string },
  ): Promise<string | undefined> {
    const taken = await tx`
      insert into agent_messages (agent_id, caller, message_hash, run_id) values (${agentId}, ${caller}, ${hash}, ${runId})
      on conflict do nothing`
    if (taken.count === 1) return undefined
    const rows = await tx<{ runId: string }[]>`
      select run_id as "runId" from agent_messages
      where agent_id = ${agentId} and caller = ${caller} and message_hash = ${hash}`
    return rows[0]?.runId
  },

  /** Makes a child of a run; `held`: the lease of the parent, which will wait for it. */
  async delegate(
    sql: Queryable,
    child: Pick<NewRun, 'id' | 'agentId' | 'callerKey' | 'objective' | 'input' | 'metadata'> & {
      parentRunId: string
      held: number | null
    },
  ): Promise<Delegated> {
    const rows = await sql<{ outcome: Delegated }[]>`
      select delegate_agent_run(parent => ${child.parentRunId}, held => ${child.held}::integer, child => ${child.id},
        target => ${child.agentId}, child_objective => ${storableText(child.objective)},
        child_input => ${storableJson(child.input)}::text::jsonb, child_metadata => ${storableJson(child.metadata)}::text::jsonb,
        key => ${child.callerKey}, stretch => ${stretch}::interval) as outcome`
    return rows[0]?.outcome ?? 'lost'
  },

  /** The agent's status, where it is the organization's. */
  async agentStatus(
    sql: Queryable,
    organizationId: string,
    agentId: string,
  ): Promise<'active' | 'archived' | undefined> {
    const rows = await sql<{ status: 'active' | 'archived' }[]>`
      select status from agents where id = ${agentId} and organization_id = ${organizationId}`
    return rows[0]?.status
  },

  /** Whether the objective is short enough for the agent's template. */
  async isShortEnough(sql: Queryable, agentId: string, objective: string): Promise<boolean> {
    const rows = await sql<{ fits: boolean }[]>`
      select fits_agent_template(a, ${storableText(objective)}) as fits from agents a where a.id = ${agentId}`
    return rows[0]?.fits !== false
  },

  async byId(sql: Queryable, runId: string): Promise<Run | undefined> {
    const rows = await sql<Run[]>`select ${sql.unsafe(runColumns)} from agent_runs r where r.id = ${runId}`
    return rows[0]
  },

  async find(sql: Queryable, scope: RunScope, runId: string): Promise<Run | undefined> {
    const rows = await sql<Run[]>`
      select ${sql.unsafe(runColumns)} from agent_runs r where r.id = ${runId} and ${scoped(sql, scope)}`
    return rows[0]
  },

  async byCallerKey(sql: Queryable, scope: Required<RunScope>, callerKey: string): Promise<Run | undefined> {
    const rows = await sql<Run[]>`
      select ${sql.unsafe(runColumns)} from agent_runs r where r.caller_key = ${callerKey} and ${scoped(sql, scope)}`
    return rows[0]
  },

  /** A page of runs, newest first and with long fields cut, and the exact total. */
  async list(
    sql: Queryable,
    filter: RunFilter,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ items: ListedRun[]; total: number }> {
    const wanted = sql`${scoped(sql, filter)}
      ${filter.state === undefined ? sql`` : sql`and r.state = ${filter.state}`}`
    const [items, counts] = await Promise.all([
      // The page first, so that nothing is read of what it leaves out.
      sql<ListedRun[]>`
        with page as (
          select * from agent_runs r where ${wanted} order by r.id desc limit ${limit} offset ${offset})
        select ${sql.unsafe(listedColumns)} from page r order by r.id desc`,
      sql<{ total: number }[]>`select count(*)::integer as total from agent_runs r where ${wanted}`,
    ])
    return { items: [...items], total: counts[0]?.total ?? 0 }
  },

  async journal(sql: Queryable, runId: string): Promise<RunStep[]> {
    const rows = await sql<RunStep[]>`
      select seq, kind, tool, input, output, created_at as "createdAt" from agent_run_steps where run_id = ${runId} order by seq`
    return [...rows]
  },

  async children(sql: Queryable, runId: string): Promise<string[]> {
    const rows = await sql<
      { id: string }[]
    >`select id from agent_runs where parent_run_id = ${runId} order by id`
    return rows.map(({ id }) => id)
  },

  /** The versions of runs, for their followers. */
  async versions(sql: Queryable, runIds: readonly string[]): Promise<{ id: string; version: number }[]> {
    const rows = await sql<{ id: string; version: number }[]>`
      select id, version::integer as version from agent_runs where id = any(${[...runIds]}::uuid[])`
    return [...rows]
  },

  /** Answers a run's question; false where it does not wait for an answer. */
  async answer(sql: Queryable, runId: string, answer: unknown): Promise<boolean> {
    const rows = await sql<{ done: boolean }[]>`
      select answer_agent_run(run => ${runId}, answer => ${storableJson(answer)}::text::jsonb, stretch => ${stretch}::interval) as done`
    return rows[0]?.done === true
  },

  /** Cancels a run and its children; false when it has ended. */
  async cancel(sql: Queryable, runId: string): Promise<boolean> {
    const rows = await sql<{ done: boolean }[]>`
      select end_agent_run(run => ${runId}, held => null, end_state => 'canceled', end_result => null, end_error => null,
        stretch => ${stretch}::interval) as done`
    return rows[0]?.done === true
  },

  /** Cancels all living runs of an agent, in the transaction that archives it and after its row has changed. */
  async cancelOfAgent(tx: Queryable, agentId: string): Promise<void> {
    await tx`select cancel_agent_runs(
      array(select r.id from agent_runs r where r.agent_id = ${agentId} and r.ended_at is null), ${stretch}::interval)`
  },

  /** Cancels all living runs that sign for a session, in the transaction that revokes it and after its row has changed. */
  async cancelOfSession(tx: Queryable, sessionId: string): Promise<void> {
    await tx`select cancel_agent_runs(
      array(select r.id from agent_runs r where r.session_id = ${sessionId} and r.ended_at is null), ${stretch}::interval)`
  },
}

const scoped = (sql: Queryable, { organizationId, agentId, caller }: RunScope) =>
  sql`r.agent_id = ${agentId} and r.organization_id = ${organizationId} ${
    caller === undefined ? sql`` : sql`and r.caller = ${caller}`
  }`
