import type { Sql } from '@symbolon/server/pool'

/** A year in either direction per step is more than any limit or expiry needs. */
export const advanceMsMax = 366 * 24 * 60 * 60 * 1000

/**
 * Moves the time that limits and expiries read, for all processes at once, by replacing the SQL function `app_now()`.
 * The offset lasts until moved back, restarts included. Answers the new time.
 */
export async function advanceClock(sql: Sql, advanceMs: number): Promise<Date> {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('symbolon dev clock'))`
    const [row] = await tx<{ offset_ms: number }[]>`
      select round(extract(epoch from app_now() - clock_timestamp()) * 1000)::double precision as offset_ms`
    // Every operand is a whole number, and a function body takes no parameters.
    const offsetMs = Math.trunc((row?.offset_ms ?? 0) + advanceMs)
    await tx.unsafe(`create or replace function app_now() returns timestamptz language sql volatile parallel safe
      as 'select clock_timestamp() + interval ''${offsetMs} milliseconds'''`)
    const [moved] = await tx<{ now: Date }[]>`select app_now() as now`
    if (moved === undefined) throw new Error('The database returned no time')
    return moved.now
  })
}
