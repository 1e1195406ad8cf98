import type { Sql } from '@symbolon/server/pool'
import { until } from '../wait/until.ts'

type WithSql = { sql: Sql }

/**
 * Takes the lock that every commit of the organization's events waits for. The answer lets it go, after running a last
 * statement under it: what waited sees its effect.
 */
export async function holdOrganization(
  { sql }: WithSql,
  organizationId: string,
): Promise<(last?: string) => Promise<void>> {
  const connection = await sql.reserve()
  await connection`begin`
  await connection`select 1 from organization_counters where organization_id = ${organizationId} for update`
  return async (last) => {
    if (last !== undefined) await connection.unsafe(last)
    await connection`commit`
    connection.release()
  }
}

/** Resolves once a statement waits for a lock, or as many as given; `text`: one that has this in it. */
export const untilWaiting = ({ sql }: WithSql, count = 1, text = ''): Promise<void> =>
  until(async () => {
    const rows = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and strpos(query, ${text}) > 0`
    return rows.length >= count
  })

/** Archives a wallet. */
export const archiveText = (organizationId: string, walletId: string): string =>
  `select set_wallet_status('${organizationId}', '${walletId}', 'archived')`

/**
 * Lets the clock of limits and expiries be moved by a row. A statement that has begun keeps the functions it found, so that
 * one which waits for a lock would or would not see a function replaced meanwhile; a row it reads anew.
 */
export async function makeClockMovable({ sql }: WithSql): Promise<void> {
  await sql.unsafe(`create table if not exists test_clock (hours double precision not null);
    delete from test_clock;
    insert into test_clock values (0);
    create or replace function app_now() returns timestamptz language sql volatile as
      'select clock_timestamp() + hours * interval ''1 hour'' from test_clock'`)
}

/** Moves a movable clock to so many hours from the real time. */
export const clockText = (hours: number): string => `update test_clock set hours = ${hours}`
