import { Email } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'
import type { Organization } from '../../../http/principal.ts'
import type { Owner } from './wallet.ts'

type Row = Owner & { id: string }

/** The user that a backend names: one who is there, or `isNew`, whom `insertOwner` makes with the wallet. */
export type NamedOwner = { id: string; owner: Owner; isNew: boolean }

/**
 * Finds the identity that a backend names; one that is not there yet would be made under `newId`, before its first login. In `service` mode
 * a user is named by email, or by the provider's id, which is the email there. In `oidc` mode only the issuer's subject names a new user; an
 * email finds the one user who has logged in with it, verified, and is `ambiguous` where several identities of the organization hold it.
 */
export async function findOwner(
  sql: Queryable,
  newId: string,
  organization: Organization,
  { email, providerUserId }: { email: string | undefined; providerUserId: string | undefined },
): Promise<NamedOwner | 'ambiguous' | undefined> {
  const isService = organization.authMode === 'service'
  const named = providerUserId ?? (isService ? email : undefined)
  // Under either field, a name that is an email is the user who will log in with it.
  const address = isService && named !== undefined ? Email.safeParse(named).data : undefined
  const name = address ?? named
  const authProvider = isService ? 'service' : 'oidc'
  const wanted =
    name === undefined
      ? sql`email = ${email ?? null}`
      : sql`auth_provider = ${authProvider} and issuer = ${issuerOf(organization)} and provider_user_id = ${name}`
  const rows = await sql<Row[]>`
    select id, auth_provider as "authProvider", provider_user_id as "providerUserId", email from identities
    where organization_id = ${organization.id} and ${wanted} limit 2`
  const [row, other] = rows
  if (other !== undefined) return 'ambiguous'
  if (row === undefined && name !== undefined) {
    const owner = { authProvider, providerUserId: name, email: address ?? null } as const
    return { id: newId, owner, isNew: true }
  }
  // An identity from before the organization had its own provider logs in no longer.
  if (row === undefined || (!isService && row.authProvider !== 'oidc')) return undefined
  return { id: row.id, owner: row, isNew: false }
}

/** Inserts a new owner; false where somebody else has made one of that name since. */
export async function insertOwner(
  tx: Queryable,
  organization: Organization,
  { id, owner }: NamedOwner,
): Promise<boolean> {
  const result = await tx`
    insert into identities (id, organization_id, auth_provider, issuer, provider_user_id, email)
    values (${id}, ${organization.id}, ${owner.authProvider}, ${issuerOf(organization)}, ${owner.providerUserId}, ${owner.email})
    on conflict (organization_id, auth_provider, issuer, provider_user_id) do nothing`
  return result.count === 1
}

const issuerOf = ({ authMode, oidcIssuer }: Organization): string =>
  authMode === 'service' ? '' : (oidcIssuer ?? '')
