import type { OrganizationRules } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'

/** Rules as the database has them; `updatedAt` is null while nobody has set any. */
export type RulesRow = { rules: OrganizationRules; updatedAt: Date | null }

/** The statements of an organization's rules. */
export const rulesStore = {
  async get(sql: Queryable, organizationId: string): Promise<RulesRow> {
    const rows = await sql<RulesRow[]>`
      select rules, updated_at as "updatedAt" from organization_rules where organization_id = ${organizationId}`
    return rows[0] ?? { rules: {}, updatedAt: null }
  },

  /** Replaces them under a new version. Behind the lock of `organization_counters`. */
  async put(tx: Queryable, organizationId: string, rules: OrganizationRules): Promise<RulesRow> {
    const rows = await tx<RulesRow[]>`
      insert into organization_rules as r (organization_id, rules, updated_at)
      values (${organizationId}, ${JSON.stringify(rules)}::text::jsonb, date_trunc('milliseconds', app_now()))
      on conflict (organization_id) do update
        set rules = excluded.rules, version = r.version + 1, updated_at = excluded.updated_at
      returning rules, updated_at as "updatedAt"`
    const [row] = rows
    if (row === undefined) throw new Error('The rules were not stored.')
    return row
  },
}
