import type { Queryable } from '../../db/pool.ts'
import { onlyValue } from '../../db/sure-rows.ts'

/** A new organization's row. */
export type OrganizationRow = {
  id: string
  name: string
  slug: string
  /** Two letters; empty when unknown. */
  country: string
  signingMode: 'client' | 'tee'
  supportedNetworks: string[]
  allowedOrigins: string[]
  highRiskDelaySeconds: number
}

/** The statements of organizations. */
export const orgsStore = {
  /** Inserts the organization and its counter row; false when its slug is taken. Call it in a transaction. */
  async insertNew(tx: Queryable, row: OrganizationRow): Promise<boolean> {
    const rows = await tx`
      insert into organizations (id, name, slug, country, signing_mode, supported_networks, allowed_origins,
        high_risk_delay_seconds)
      values (${row.id}, ${row.name}, ${row.slug}, ${row.country}, ${row.signingMode}, ${row.supportedNetworks},
        ${row.allowedOrigins}, ${row.highRiskDelaySeconds})
      on conflict (slug) do nothing
      returning id`
    if (rows.length === 0) return false
    await tx`insert into organization_counters (organization_id) values (${row.id})`
    return true
  },

  /**
   * How many companies the portal user made in the last 24 hours, and the seconds until they may make another one, where `limit` have been;
   * otherwise 0. Whoever else makes one as this user waits until the transaction ends.
   */
  async lockMaker(
    tx: Queryable,
    userId: string,
    limit: number,
  ): Promise<{ made: number; retrySeconds: number }> {
    // The lock first, in a statement of its own: the next one sees what it waited for.
    await tx`select 1 from portal_users where id = ${userId} for no key update`
    const rows = await tx<{ made: number; retrySeconds: number }[]>`
      select (select count(*) from unnest(companies_made_at) t where t > clock.now - interval '1 day')::int as made,
        greatest(0, coalesce(extract(epoch from
          wait_of_times(companies_made_at, ${limit}, interval '1 day') - clock.now), 0))::double precision as "retrySeconds"
      from portal_users, (select app_now() as now offset 0) clock where id = ${userId}`
    onlyValue(rows, 'made')
    return rows[0] as { made: number; retrySeconds: number }
  },

  /** Counts a company that the portal user made. Call it behind `lockMaker`. */
  async countMade(tx: Queryable, userId: string): Promise<void> {
    await tx`
      update portal_users set companies_made_at =
        array(select t from unnest(companies_made_at) t where t > app_now() - interval '1 day' order by t) || app_now()
      where id = ${userId}`
  },
}
