import type { Queryable } from '../../../db/pool.ts'
import type { WireVersion } from './push-config.ts'
import type { TaskStateName } from './tasks.store.ts'

/** A configuration as the database has it. */
export type PushConfigRow = { id: string; configSealed: Uint8Array }

/** A notification that a worker holds; `attempts` counts this try and names the lease. `jti` is the same at each try. */
export type ClaimedPush = {
  id: string
  jti: string
  runId: string
  configId: string
  organizationId: string
  state: TaskStateName
  changedAt: Date
  attempts: number
  /** The database's time of this try. */
  nowMs: number
  configSealed: Uint8Array
  wireVersion: WireVersion
}

const configsMax = 8

/** The statements of push notifications. */
export const pushesStore = {
  /** Sets a configuration; false where the task has as many as it may. */
  async set(
    sql: Queryable,
    runId: string,
    config: PushConfigRow & { wireVersion: WireVersion; isEarly: boolean },
  ): Promise<boolean> {
    const rows = await sql<{ done: boolean }[]>`
      select set_a2a_push_config(run => ${runId}, config_id => ${config.id}, config => ${config.configSealed}::bytea,
        version => ${config.wireVersion}, is_early => ${config.isEarly}, configs_max => ${configsMax}) as done`
    return rows[0]?.done === true
  },

  async list(sql: Queryable, runId: string): Promise<PushConfigRow[]> {
    const rows = await sql<PushConfigRow[]>`
      select id, config_sealed as "configSealed" from a2a_push_configs where run_id = ${runId} order by created_at, id`
    return [...rows]
  },

  async remove(sql: Queryable, runId: string, id: string): Promise<void> {
    await sql`delete from a2a_push_configs where run_id = ${runId} and id = ${id}`
  },

  /**
   * Claims up to `rowsMax` due notifications, none of the organizations in `full`: for each receiver the oldest only, so that they come in
   * order.
   */
  async claim(
    sql: Queryable,
    {
      rowsMax,
      leaseMs,
      full,
      holder,
    }: { rowsMax: number; leaseMs: number; full: readonly string[]; holder: string },
  ): Promise<ClaimedPush[]> {
    const rows = await sql<ClaimedPush[]>`
      with clock as materialized (select app_now() as now),
      due as materialized (
        select p.id, r.organization_id from a2a_pushes p join agent_runs r on r.id = p.run_id, clock
        where p.next_attempt_at <= now and r.organization_id <> all (${[...full]}::uuid[]) and not exists (
          select from a2a_pushes e where e.run_id = p.run_id and e.config_id = p.config_id and e.id < p.id)
        order by p.next_attempt_at limit ${rowsMax} for update of p skip locked)
      update a2a_pushes p set attempts = p.attempts + 1, next_attempt_at = now + ${leaseMs} * interval '1 millisecond',
        held_by = ${holder}
      from due, clock, a2a_push_configs c
      where p.id = due.id and c.run_id = p.run_id and c.id = p.config_id
      returning p.id::text as id, p.jti, (extract(epoch from now) * 1000)::double precision as "nowMs", p.run_id as "runId", p.config_id as "configId", due.organization_id as "organizationId", p.state,
        p.changed_at as "changedAt", p.attempts, c.config_sealed as "configSealed", c.wire_version as "wireVersion"`
    return [...rows]
  },

  /** Ends a notification that was sent or is given up. A worker whose lease was taken over changes nothing. */
  async done(sql: Queryable, { id, attempts }: ClaimedPush): Promise<void> {
    await sql`delete from a2a_pushes where id = ${id} and attempts = ${attempts}`
  },

  async postpone(sql: Queryable, { id, attempts }: ClaimedPush, delayMs: number): Promise<void> {
    await sql`update a2a_pushes set next_attempt_at = app_now() + ${delayMs} * interval '1 millisecond', held_by = null
      where id = ${id} and attempts = ${attempts}`
  },
}
