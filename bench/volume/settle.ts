import type { Sql } from '@symbolon/server/pool'

/** Vacuums and analyzes tables, as a database does by itself some minutes after they were filled. */
export async function settle(sql: Sql, tables: string): Promise<void> {
  const session = await sql.reserve()
  try {
    await session`set statement_timeout = 0`
    await session.unsafe(`vacuum analyze ${tables}`)
    await session`reset statement_timeout`
  } finally {
    session.release()
  }
}
