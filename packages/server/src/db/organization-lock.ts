import type { Queryable } from './pool.ts'

/**
 * Takes the lock that every release of a signature takes, until the transaction ends: a change made behind it applies to whatever has not
 * left yet.
 */
export async function lockOrganization(tx: Queryable, organizationId: string): Promise<void> {
  await tx`select 1 from organization_counters where organization_id = ${organizationId} for update`
}
