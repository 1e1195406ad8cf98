import type { Queryable, Reserved, Sql } from '../../../db/pool.ts'
import { onlyValue } from '../../../db/sure-rows.ts'

/** A table with the columns that are stored: generated ones follow from the others. */
export type StoredTable = { table: string; columns: string[] }

const begin = 'begin isolation level repeatable read read only'

/** The statements of a snapshot. */
export const snapshotStore = {
  /** Begins a transaction on a connection of its own and returns the name by which others join its snapshot. */
  async export(sql: Sql): Promise<{ holder: Reserved; name: string }> {
    const holder = await sql.reserve()
    await holder.unsafe(begin)
    const rows = await holder<{ name: string }[]>`select pg_export_snapshot() as name`
    return { holder, name: onlyValue(rows, 'name') }
  },

  /** Opens a connection whose transaction sees what the snapshot does. */
  async join(sql: Sql, name: string): Promise<Reserved> {
    const member = await sql.reserve()
    await member.unsafe(begin)
    // A name that the database has just given: hex digits and dashes.
    await member.unsafe(`set transaction snapshot '${name.replaceAll("'", '')}'`)
    return member
  },

  /** The tables of the service, without what only this server's memory has, and without what says which schema it is. */
  async tables(sql: Queryable): Promise<StoredTable[]> {
    return sql<StoredTable[]>`
      select c.relname as table, (
        select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
      from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relpersistence = 'p' and c.relname not like 'symbolon\\_%'
      order by c.relname`
  },

  /** When and of which schema a snapshot is. */
  async origin(sql: Queryable): Promise<{ takenAt: Date; schemaVersion: number }> {
    const [row] = await sql<{ takenAt: Date; schemaVersion: number }[]>`
      select date_trunc('milliseconds', app_now()) as "takenAt", version as "schemaVersion" from symbolon_schema`
    if (row === undefined) throw new Error('The database does not name its schema.')
    return row
  },

  /** Every organization with the number of its events. */
  async logs(sql: Queryable): Promise<{ organizationId: string; size: number }[]> {
    const rows = await sql<{ id: string; events: string }[]>`
      select organization_id as id, events from organization_counters order by organization_id`
    return rows.map(({ id, events }) => ({ organizationId: id, size: Number(events) }))
  },
}
