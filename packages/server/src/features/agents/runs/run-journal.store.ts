import type { Queryable } from '../../../db/pool.ts'
import type { Run, RunStep } from './agent-run.ts'
import { runColumns, stretchSeconds } from './agent-runs.store.ts'
import { storableJson, storableText } from './storable-json.ts'

/** A run that a process holds: `attempt` names the lease. */
export type Held = Pick<Run, 'id' | 'attempt'>

/** What a run is worked on with beside its journal, as it is now. */
export type RunSetting = {
  agent: { name: string; description: string; runner: string; objectiveTemplate: string }
  /** The key of the caller's token, where the run signs with one. */
  tokenKeySealed: Uint8Array | null
}

const patience = '24 hours'

/** The statements of the work on runs; each names its lease, and changes nothing once another process has it. */
export const runJournalStore = {
  /** Claims due runs for the `free` places of a worker that works on `held`: each organization gets its fair share. */
  async claim(
    sql: Queryable,
    { free, held, holder }: { free: number; held: readonly string[]; holder?: string },
    leaseMs: number,
  ): Promise<Run[]> {
    const rows = await sql<Run[]>`
      select ${sql.unsafe(runColumns)}
      from claim_agent_runs(rows_max => ${free}, held => ${[...held]}::uuid[], lease => ${leaseMs} * interval '1 millisecond',
        holder => ${holder ?? null}::uuid) r`
    return [...rows]
  },

  /** Extends leases; returns those that are still held. */
  async keep(sql: Queryable, held: readonly Held[], leaseMs: number): Promise<Held[]> {
    // Parents are older than their children: in this order, no one who locks a tree from its root waits for us in turn.
    const rows = await sql<Held[]>`
      with ours as materialized (
        select r.id from agent_runs r
        join unnest(${held.map(({ id }) => id)}::uuid[], ${held.map(({ attempt }) => attempt)}::integer[]) as h(id, attempt)
          on r.id = h.id and r.attempt = h.attempt
        where r.state = 'running' order by r.id for update of r)
      update agent_runs r set due_at = app_now() + ${leaseMs} * interval '1 millisecond'
      from ours where r.id = ours.id returning r.id, r.attempt`
    return [...rows]
  },

  /** Releases a run that this process no longer works on, so that another one claims it at once. */
  async release(sql: Queryable, { id, attempt }: Held): Promise<void> {
    await sql`update agent_runs set due_at = app_now() where id = ${id} and attempt = ${attempt} and state = 'running'`
  },

  /** Puts the step at hand off by `delayMs`; false where the run is no longer held. */
  async postpone(sql: Queryable, { id, attempt }: Held, delayMs: number): Promise<boolean> {
    const result =
      await sql`update agent_runs set due_at = app_now() + ${delayMs} * interval '1 millisecond', retries = retries + 1,
        state = 'queued', version = version + 1
      where id = ${id} and attempt = ${attempt} and state = 'running'`
    return result.count === 1
  },

  /** Adds an entry; false where the run is no longer held. */
  async write(
    sql: Queryable,
    { id, attempt }: Held,
    step: Pick<RunStep, 'seq' | 'kind' | 'tool' | 'input' | 'output'>,
    leaseMs: number,
  ): Promise<boolean> {
    const rows = await sql<{ done: boolean }[]>`
      select write_agent_run_step(run => ${id}, held => ${attempt}, place => ${step.seq}, step_kind => ${step.kind},
        step_tool => ${step.tool}, step_input => ${storableJson(step.input)}::text::jsonb,
        step_output => ${storableJson(step.output)}::text::jsonb, lease => ${leaseMs} * interval '1 millisecond') as done`
    return rows[0]?.done === true
  },

  /**
   * Whether a run's question can be answered: by its caller over A2A, person or agent. A parent that waits for its child, a hook and the portal
   * cannot answer.
   */
  async isAnswerable(sql: Queryable, runId: string): Promise<boolean> {
    const rows = await sql<{ done: boolean }[]>`
      select r.source = 'a2a' or r.source = 'delegation' and not exists (
        select from agent_runs p where p.id = r.parent_run_id and p.awaits_run_id = r.id) as done
      from agent_runs r where r.id = ${runId}`
    return rows[0]?.done === true
  },

  async ask(sql: Queryable, { id, attempt }: Held, seq: number, question: string): Promise<boolean> {
    const rows = await sql<{ done: boolean }[]>`
      select ask_agent_run(run => ${id}, held => ${attempt}, place => ${seq}, asked => ${storableText(question)},
        patience => ${patience}::interval) as done`
    return rows[0]?.done === true
  },

  async end(
    sql: Queryable,
    { id, attempt }: { id: string; attempt: number | null },
    outcome: { state: 'completed' | 'failed'; result: unknown; error: string | null },
  ): Promise<boolean> {
    const rows = await sql<{ done: boolean }[]>`
      select end_agent_run(run => ${id}, held => ${attempt}::integer, end_state => ${outcome.state},
        end_result => ${storableJson(outcome.result)}::text::jsonb,
        end_error => ${outcome.error === null ? null : storableText(outcome.error)},
        stretch => ${stretchSeconds} * interval '1 second') as done`
    return rows[0]?.done === true
  },

  /** Runs whose time is over. */
  async overdue(sql: Queryable, rowsMax: number): Promise<string[]> {
    const rows = await sql<{ id: string }[]>`
      select id from agent_runs where ended_at is null and deadline_at <= app_now() order by deadline_at limit ${rowsMax}`
    return rows.map(({ id }) => id)
  },

  async setting(sql: Queryable, runId: string): Promise<RunSetting | undefined> {
    const rows = await sql<(RunSetting['agent'] & Pick<RunSetting, 'tokenKeySealed'>)[]>`
      select a.name, a.description, a.runner, a.objective_template as "objectiveTemplate",
        r.token_key_sealed as "tokenKeySealed"
      from agent_runs r join agents a on a.id = r.agent_id where r.id = ${runId}`
    if (rows[0] === undefined) return undefined
    const { tokenKeySealed, ...agent } = rows[0]
    return { agent, tokenKeySealed }
  },
}
