import type { Queryable } from '../../db/pool.ts'
import type { HostProcess, ProcessTable } from '../../ports/process-table.ts'

/** A process of the installation. */
export type KnownProcess = HostProcess & { id: string }

/**
 * What one beat found: the other processes of the host, those that it beat for, itself among them, and the workers that have something to
 * do: names of `due_work`.
 */
export type BeatResult = { others: KnownProcess[]; beaten: string[]; due: string[] }

/** The statements about the installation's processes. */
export const processesStore = {
  /** Says that `id` and its `siblings` are alive, frees what `gone` and silent ones held, and looks for work: see `beat_process`. */
  async beat(
    sql: Queryable,
    {
      id,
      table,
      gone,
      silenceMs,
      siblings,
    }: {
      id: string
      table: ProcessTable
      gone: readonly string[]
      silenceMs: number
      siblings: readonly string[]
    },
  ): Promise<BeatResult> {
    const rows = await sql<BeatResult[]>`
      select others, beaten, due from beat_process(process => ${id}, process_host => ${table.host}, process_pid => ${table.pid},
        process_started => ${table.started}, gone => ${[...gone]}::uuid[], silence => ${silenceMs} * interval '1 millisecond',
        siblings => ${[...siblings]}::uuid[])`
    const [row] = rows
    if (row === undefined) throw new Error('A beat did not answer.')
    return row
  },

  /**
   * Frees what a process held that is dead for certain, also if it never beat. Its row is locked first, as by a beat that finds it gone:
   * otherwise the two would wait for each other.
   */
  async release(sql: Queryable, id: string): Promise<void> {
    await sql`
      with gone as materialized (delete from processes where id = ${id} returning id)
      select release_leases(dead => array[${id}::uuid]) from (select count(*) from gone) locked`
  },
}
