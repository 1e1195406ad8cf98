import type { Queryable } from './pool.ts'

/** The database's time, to the millisecond. */
export const databaseNow = async (sql: Queryable): Promise<Date> => new Date(await databaseNowMs(sql))

/** The database's time in ms, which time limits go by on all processes. */
export async function databaseNowMs(sql: Queryable): Promise<number> {
  const rows = await sql<{ nowMs: number }[]>`
    select (extract(epoch from app_now()) * 1000)::double precision as "nowMs"`
  const [row] = rows
  if (row === undefined) throw new Error('The database has no time.')
  return row.nowMs
}
