import type { Queryable } from '../../db/pool.ts'
import type { OidcUser } from './oidc-user.ts'

/** The statements of login. Every time in them is the database's. */
export const authStore = {
  /** Makes or finds the identity of an identity provider's user; a verified email in the token replaces the one we know. */
  async upsertOidcIdentity(
    sql: Queryable,
    organizationId: string,
    { newIdentityId, user }: { newIdentityId: string; user: OidcUser },
  ): Promise<string> {
    const rows = await sql<{ id: string }[]>`
      insert into identities as i (id, organization_id, auth_provider, issuer, provider_user_id, email)
      values (${newIdentityId}, ${organizationId}, 'oidc', ${user.issuer}, ${user.subject}, ${user.email})
      on conflict (organization_id, auth_provider, issuer, provider_user_id)
        do update set email = coalesce(excluded.email, i.email)
      returning id`
    const row = rows[0]
    if (row === undefined) throw new Error('An upsert answered no row.')
    return row.id
  },

  /** `true` for the first one of all processes that comes with the token. `hash` in hex, `expiresAt` in ISO 8601. */
  async acceptToken(
    sql: Queryable,
    organizationId: string,
    token: { hash: string; expiresAt: string },
  ): Promise<boolean> {
    const rows = await sql`
      insert into accepted_tokens (organization_id, token_hash, expires_at)
      values (${organizationId}, decode(${token.hash}, 'hex'), ${token.expiresAt}::timestamptz)
      on conflict do nothing returning 1`
    return rows.length === 1
  },

  /** Locks what every commit of a signature of the organization waits for. */
  async lockOrganization(sql: Queryable, organizationId: string): Promise<void> {
    await sql`select 1 from organization_counters where organization_id = ${organizationId} for update`
  },

  /** `false` when the token was revoked before. `hash` in hex, `expiresAt` in ISO 8601. */
  async revoke(
    sql: Queryable,
    organizationId: string,
    token: { hash: string; expiresAt: string },
  ): Promise<boolean> {
    const rows = await sql`
      insert into revoked_tokens (organization_id, token_hash, expires_at)
      values (${organizationId}, decode(${token.hash}, 'hex'), ${token.expiresAt}::timestamptz)
      on conflict do nothing returning 1`
    return rows.length === 1
  },
}
