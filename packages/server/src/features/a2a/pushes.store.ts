import type { Queryable } from '../../db/pool.ts'
import type { WireVersion } from './push-config.ts'
import type { TaskStateName } from './tasks.store.ts'

/** A configuration as the database has it. */
export type PushConfigRow = { id: string; configSealed: Uint8Array }

/** A notification that a worker holds; `attempts` counts this try and names the lease. */
export type ClaimedPush = {
  id: string
  runId: string
  configId: string
  state: TaskStateName
  changedAt: Date
  attempts: number
  configSealed: Uint8Array
  wireVersion: WireVersion
}

const configsMax = 8

/** The statements of push notifications. */
export const pushesStore = {
  /** Sets a configuration; false when the task has as many as it may. */
  async set(
    sql: Queryable,
    runId: string,
    config: PushConfigRow & { wireVersion: WireVersion; isEarly: boolean },
  ): Promise<boolean> {
    const rows = await sql<{ done: boolean }[]>`
      select set_a2a_push_config(${runId}, ${config.id}, ${config.configSealed}::bytea, ${config.wireVersion}, ${config.isEarly},
        ${configsMax}) as done`
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

  async claim(sql: Queryable, rowsMax: number, leaseMs: number): Promise<ClaimedPush[]> {
    const rows = await sql<ClaimedPush[]>`
      select id::text as id, run_id as "runId", config_id as "configId", state, changed_at as "changedAt", attempts,
        config_sealed as "configSealed", wire_version as "wireVersion"
      from claim_a2a_pushes(${rowsMax}, ${leaseMs} * interval '1 millisecond')`
    return [...rows]
  },

  /** Ends a notification that was told or that is given up. A worker whose lease was taken over changes nothing. */
  async done(sql: Queryable, { id, attempts }: ClaimedPush): Promise<void> {
    await sql`delete from a2a_pushes where id = ${id} and attempts = ${attempts}`
  },

  async postpone(sql: Queryable, { id, attempts }: ClaimedPush, delayMs: number): Promise<void> {
    await sql`update a2a_pushes set next_attempt_at = app_now() + ${delayMs} * interval '1 millisecond'
      where id = ${id} and attempts = ${attempts}`
  },
}
