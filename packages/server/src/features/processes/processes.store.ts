import type { Queryable } from '../../db/pool.ts'
import type { HostProcess, ProcessTable } from '../../ports/process-table.ts'

/** A process of the installation. */
export type KnownProcess = HostProcess & { id: string }

/** The statements about the installation's processes. */
export const processesStore = {
  /** Says that `id` is alive, frees what `gone` and silent ones held, and returns the others of its host. */
  async beat(
    sql: Queryable,
    {
      id,
      table,
      gone,
      silenceMs,
    }: { id: string; table: ProcessTable; gone: readonly string[]; silenceMs: number },
  ): Promise<KnownProcess[]> {
    const rows = await sql<KnownProcess[]>`
      select id, pid, started from beat_process(process => ${id}, process_host => ${table.host}, process_pid => ${table.pid},
        process_started => ${table.started}, gone => ${[...gone]}::uuid[], silence => ${silenceMs} * interval '1 millisecond')`
    return [...rows]
  },

  /** Frees what a process held that is dead for certain. */
  async release(sql: Queryable, id: string): Promise<void> {
    await sql`with gone as (delete from processes where id = ${id}) select release_leases(dead => array[${id}::uuid])`
  },
}
