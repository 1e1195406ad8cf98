import type { Queryable } from '../../db/pool.ts'
import type { Identity } from '../../http/caller.ts'
import type { Ids } from '../../ports/clock.ts'
import { authStore } from './auth.store.ts'
import type { OidcUser } from './oidc.ts'

/**
 * Makes or finds the identity of an identity provider's user: one per (organization, issuer, subject). Its `email` is what
 * this login tells, not what an earlier one told.
 */
export const oidcIdentities =
  ({ sql, ids }: { sql: Queryable; ids: Ids }) =>
  async (organizationId: string, user: OidcUser): Promise<Identity> => {
    const id = await authStore.upsertOidcIdentity(sql, organizationId, { newIdentityId: ids.next(), user })
    return { id, authProvider: 'oidc', providerUserId: user.subject, email: user.email }
  }
