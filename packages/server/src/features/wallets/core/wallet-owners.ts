import { Email } from '@symbolon/api'
import type { Sql } from '../../../db/pool.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Owner } from './wallet.ts'
import type { FindOwner } from './wallets.ts'

type Row = Owner & { id: string }

/**
 * Finds or makes the identity that a backend names, before its first login. In `service` mode a user is named by email,
 * or by the provider's id, which there is the email. In `oidc` mode only the issuer's subject names a new user; an email
 * finds one who has logged in.
 */
export function walletOwners({ sql, ids }: { sql: Sql; ids: Ids }): FindOwner {
  return async (organization, { email, providerUserId }) => {
    const isService = organization.authMode === 'service'
    const named = providerUserId ?? (isService ? email : undefined)
    // Whatever the backend calls it, a name that is an email is the user who will log in with it.
    const address = isService && named !== undefined ? Email.safeParse(named).data : undefined
    const name = address ?? named
    const rows =
      name === undefined
        ? await sql<Row[]>`
            select id, auth_provider as "authProvider", provider_user_id as "providerUserId", email from identities
            where organization_id = ${organization.id} and email = ${email ?? null} and auth_provider = 'oidc'
            order by created_at desc limit 1`
        : await sql<Row[]>`
            insert into identities as i (id, organization_id, auth_provider, issuer, provider_user_id, email)
            values (${ids.next()}, ${organization.id}, ${isService ? 'service' : 'oidc'},
              ${isService ? '' : (organization.oidcIssuer ?? '')}, ${name}, ${address ?? null})
            on conflict (organization_id, auth_provider, issuer, provider_user_id)
              do update set provider_user_id = excluded.provider_user_id
            returning id, auth_provider as "authProvider", provider_user_id as "providerUserId", email`
    const row = rows[0]
    return row && { id: row.id, owner: row }
  }
}
