import type { Queryable } from '../../db/pool.ts'

/** What an organization may use; null: the documented figure. */
export type Quotas = { organization_id: string; user_signs_per_minute: number | null }

/** The statements on what organizations may use. */
export const quotasStore = {
  async find(sql: Queryable, organizationId: string): Promise<Quotas | undefined> {
    const [found] = await sql<Quotas[]>`
      select id as organization_id, user_signs_per_minute from organizations where id = ${organizationId}`
    return found
  },

  async setUserSigns(sql: Queryable, organizationId: string, perMinute: number): Promise<Quotas | undefined> {
    const [changed] = await sql<Quotas[]>`
      update organizations set user_signs_per_minute = ${perMinute} where id = ${organizationId}
      returning id as organization_id, user_signs_per_minute`
    return changed
  },
}
