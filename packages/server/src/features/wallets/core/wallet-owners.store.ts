import { Email } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'
import type { Organization } from '../../../http/principal.ts'
import type { Owner } from './wallet.ts'

type Row = Owner & { id: string }

/**
 * Finds the identity that a backend names, or inserts it under `newId` before its first login. In `service` mode a user is named by
 * email, or by the provider's id, which is the email there. In `oidc` mode only the issuer's subject names a new user; an email
 * finds the one user who has logged in with it, verified, and is `ambiguous` where several identities of the organization hold it.
 */
export async function findOrInsertOwner(
  sql: Queryable,
  newId: string,
  organization: Organization,
  { email, providerUserId }: { email: string | undefined; providerUserId: string | undefined },
): Promise<{ id: string; owner: Owner } | 'ambiguous' | undefined> {
  const isService = organization.authMode === 'service'
  const named = providerUserId ?? (isService ? email : undefined)
  // Under either field, a name that is an email is the user who will log in with it.
  const address = isService && named !== undefined ? Email.safeParse(named).data : undefined
  const name = address ?? named
  const rows =
    name === undefined
      ? await sql<Row[]>`
          select id, auth_provider as "authProvider", provider_user_id as "providerUserId", email from identities
          where organization_id = ${organization.id} and email = ${email ?? null} limit 2`
      : await sql<Row[]>`
          insert into identities as i (id, organization_id, auth_provider, issuer, provider_user_id, email)
          values (${newId}, ${organization.id}, ${isService ? 'service' : 'oidc'},
            ${isService ? '' : (organization.oidcIssuer ?? '')}, ${name}, ${address ?? null})
          on conflict (organization_id, auth_provider, issuer, provider_user_id)
            do update set provider_user_id = excluded.provider_user_id
          returning id, auth_provider as "authProvider", provider_user_id as "providerUserId", email`
  const [row, other] = rows
  if (other !== undefined) return 'ambiguous'
  // An identity from before the organization had its own provider logs in no longer.
  if (row === undefined || (!isService && row.authProvider !== 'oidc')) return undefined
  return { id: row.id, owner: row }
}
