import type { Queryable } from '../../db/pool.ts'

/** What an organization may use, as `symbolon org quota --json` prints it; null: the documented figure. */
export type Quotas = {
  organization_id: string
  user_signs_per_minute: number | null
  sponsored_gas_eur_per_month: number
}

/** What all organizations of the installation may use together, as `symbolon org quota --installation --json` prints it. */
export type InstallationQuotas = Pick<Quotas, 'sponsored_gas_eur_per_month'>

/** New figures; those that are absent stay. */
export type QuotaChange = {
  userSignsPerMinute?: number | undefined
  sponsoredGasEurPerMonth?: number | undefined
}

const columns = 'id as organization_id, user_signs_per_minute, sponsored_gas_eur_per_month'

/** The statements on what organizations may use. */
export const quotasStore = {
  async find(sql: Queryable, organizationId: string): Promise<Quotas | undefined> {
    const [found] = await sql<Quotas[]>`
      select ${sql.unsafe(columns)} from organizations where id = ${organizationId}`
    return found
  },

  async change(
    sql: Queryable,
    organizationId: string,
    { userSignsPerMinute, sponsoredGasEurPerMonth }: QuotaChange,
  ): Promise<Quotas | undefined> {
    const [changed] = await sql<Quotas[]>`
      update organizations set
        user_signs_per_minute = coalesce(${userSignsPerMinute ?? null}::integer, user_signs_per_minute),
        sponsored_gas_eur_per_month = coalesce(${sponsoredGasEurPerMonth ?? null}::integer, sponsored_gas_eur_per_month)
      where id = ${organizationId} returning ${sql.unsafe(columns)}`
    return changed
  },

  /** What the installation may use; the figure that is given is set first. */
  async installation(sql: Queryable, sponsoredGasEurPerMonth?: number): Promise<InstallationQuotas> {
    const rows =
      sponsoredGasEurPerMonth === undefined
        ? await sql<InstallationQuotas[]>`select sponsored_gas_eur_per_month from installation_quotas`
        : await sql<InstallationQuotas[]>`
            insert into installation_quotas (sponsored_gas_eur_per_month) values (${sponsoredGasEurPerMonth})
            on conflict (singleton) do update set sponsored_gas_eur_per_month = excluded.sponsored_gas_eur_per_month
            returning sponsored_gas_eur_per_month`
    return rows[0] ?? { sponsored_gas_eur_per_month: 0 }
  },
}
