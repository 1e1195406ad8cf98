import type { Queryable } from '../../db/pool.ts'

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
}
