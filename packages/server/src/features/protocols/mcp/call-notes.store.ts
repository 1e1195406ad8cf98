import type { Queryable } from '../../../db/pool.ts'

/** A call under a key. */
export type NotedCall = { sessionId: string; key: string }

/** Notes of calls under a key, as long as the key counts. */
export const callNotesStore = {
  /** The notes of a call, in the order in which they were written. */
  async of(sql: Queryable, { sessionId, key }: NotedCall): Promise<unknown[]> {
    const rows = await sql<{ notes: string[] }[]>`
      select notes from agent_call_notes
      where session_id = ${sessionId} and request_key = ${key} and expires_at > app_now()`
    return (rows[0]?.notes ?? []).map((note) => JSON.parse(note))
  },

  /**
   * Adds a note to the `known` ones, all of them for so many hours from the first on; false where another call has added one: two calls
   * under one key cannot both decide.
   */
  async add(
    sql: Queryable,
    { sessionId, key }: NotedCall,
    { known, note, hours }: { known: number; note: unknown; hours: number },
  ): Promise<boolean> {
    const rows = await sql`
      insert into agent_call_notes as c (session_id, request_key, notes, expires_at)
      values (${sessionId}, ${key}, array[${JSON.stringify(note)}], app_now() + ${hours} * interval '1 hour')
      on conflict (session_id, request_key) do update set
        notes = case when c.expires_at > app_now() then c.notes || excluded.notes else excluded.notes end,
        expires_at = case when c.expires_at > app_now() then c.expires_at else excluded.expires_at end
      where case when c.expires_at > app_now() then cardinality(c.notes) else 0 end = ${known}
      returning 1`
    return rows.length === 1
  },
}
