import type { Queryable } from '../../db/pool.ts'

/** A daily count or cost; kinds as the table `usage_days` names them. */
export type UsageCount = { day: string; kind: string; amount: bigint }

/** The days (UTC, `YYYY-MM-DD`) that a range means, both included. */
export type DayRange = { from: string; to: string; days: number }

/** The statements of usage. */
export const usageStore = {
  /** The range with what was left out: until today, 30 days of it. */
  async range(sql: Queryable, given: { from?: string; to?: string }): Promise<DayRange> {
    const rows = await sql<DayRange[]>`
      select to_char(r.first, 'YYYY-MM-DD') as from, to_char(r.last, 'YYYY-MM-DD') as to, r.last - r.first + 1 as days
      from (
        select coalesce(${given.from ?? null}::date, e.last - 29) as first, e.last
        from (select coalesce(${given.to ?? null}::date, (app_now() at time zone 'UTC')::date) as last) e) r`
    const [row] = rows
    if (row === undefined) throw new Error('The database returned no days.')
    return row
  },

  async counts(
    sql: Queryable,
    organizationId: string,
    { from, to }: Pick<DayRange, 'from' | 'to'>,
  ): Promise<UsageCount[]> {
    const rows = await sql<{ day: string; kind: string; amount: string }[]>`
      select to_char(day, 'YYYY-MM-DD') as day, kind, amount from usage_days
      where organization_id = ${organizationId} and day between ${from}::date and ${to}::date`
    return rows.map(({ day, kind, amount }) => ({ day, kind, amount: BigInt(amount) }))
  },
}
