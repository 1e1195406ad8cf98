import type { Queryable } from '../../db/pool.ts'
import type { CodeOwner } from './email-code.ts'
import type { OidcUser } from './oidc-user.ts'

/** A code as it is stored, and the sealed mail that carries it. */
export type IssuedCode = CodeOwner & {
  codeId: string
  salt: Uint8Array
  hash: Uint8Array
  mail: { id: string; sealedPayload: Uint8Array }
}

/** The newest code of an address as an attempt on it finds it; without `code` none may be tried. */
export type CountedAttempt = {
  code: { codeId: string; salt: Uint8Array; hash: Uint8Array } | undefined
  identityId: string | undefined
}

type CountedRow = {
  code_id: string | null
  salt: Uint8Array
  code_hash: Uint8Array
  identity_id: string | null
}

/** The statements of login. Every time in them is the database's. */
export const authStore = {
  /**
   * Replaces the code of an address and queues its mail, in one statement; answers how many codes the window of 15 min now
   * holds, and nothing when five were there.
   * Who asks at the same moment waits for the row, and is counted after.
   */
  async issueCode(
    sql: Queryable,
    issued: IssuedCode,
  ): Promise<{ count: number; windowSeconds: number } | undefined> {
    const { organizationId, email, purpose, codeId, salt, hash, mail } = issued
    const rows = await sql<{ count: number }[]>`
      with clock as materialized (select app_now() as now),
      code as (
        insert into email_codes as c (organization_id, email, purpose, code_id, salt, code_hash, expires_at, issued_at)
        select ${organizationId}, ${email}, ${purpose}, ${codeId}, ${salt}, ${hash}, now + interval '10 minutes', array[now]
        from clock
        on conflict (organization_id, email, purpose) do update set
          code_id = excluded.code_id, salt = excluded.salt, code_hash = excluded.code_hash, attempts = 0,
          consumed_at = null, expires_at = excluded.expires_at,
          issued_at = array(select t from unnest(c.issued_at) t where t > excluded.issued_at[1] - interval '15 minutes')
            || excluded.issued_at
        where (select count(*) from unnest(c.issued_at) t where t > excluded.issued_at[1] - interval '15 minutes') < 5
        returning c.expires_at, cardinality(c.issued_at) as count)
      insert into outbox (id, kind, sealed_payload, next_attempt_at, expires_at)
      select ${mail.id}, 'mail', ${mail.sealedPayload}, now, code.expires_at from code, clock
      returning (select count from code)`
    return rows[0] && { count: rows[0].count, windowSeconds: 15 * 60 }
  },

  /** Seconds until the oldest code of the window leaves it and another may be issued; at least 1. */
  async secondsUntilNextCode(sql: Queryable, { organizationId, email, purpose }: CodeOwner): Promise<number> {
    const rows = await sql<{ seconds: number | null }[]>`
      with clock as materialized (select app_now() as now)
      select extract(epoch from min(t) + interval '15 minutes' - now)::double precision as seconds
      from clock, email_codes c, unnest(c.issued_at) t
      where c.organization_id = ${organizationId} and c.email = ${email} and c.purpose = ${purpose}
        and t > now - interval '15 minutes'
      group by now`
    return Math.max(1, Math.ceil(rows[0]?.seconds ?? 1))
  },

  /** Spends one of the five attempts before anything is compared, and finds whose address it is. */
  async countAttempt(sql: Queryable, { organizationId, email, purpose }: CodeOwner): Promise<CountedAttempt> {
    const rows = await sql<CountedRow[]>`
      with counted as (
        update email_codes set attempts = attempts + 1
        where organization_id = ${organizationId} and email = ${email} and purpose = ${purpose}
          and attempts < 5 and consumed_at is null and expires_at > app_now()
        returning code_id, salt, code_hash)
      select counted.*, (
        select id from identities
        where organization_id = ${organizationId} and auth_provider = 'service' and issuer = ''
          and provider_user_id = ${email}) as identity_id
      from (select) one left join counted on true`
    const row = rows[0]
    const identityId = row?.identity_id ?? undefined
    if (row === undefined || row.code_id === null) return { code: undefined, identityId }
    return { code: { codeId: row.code_id, salt: row.salt, hash: row.code_hash }, identityId }
  },

  /** Uses the code up and makes or finds the identity; `undefined` for all but one of those who come with the same code. */
  async consumeLogin(
    sql: Queryable,
    { organizationId, email }: CodeOwner,
    { codeId, newIdentityId }: { codeId: string; newIdentityId: string },
  ): Promise<{ identityId: string; nowMs: number } | undefined> {
    const rows = await sql<{ id: string; now_ms: number }[]>`
      with consumed as (
        update email_codes set consumed_at = app_now()
        where organization_id = ${organizationId} and email = ${email} and purpose = 'login'
          and code_id = ${codeId} and consumed_at is null and expires_at > app_now()
        returning consumed_at)
      insert into identities (id, organization_id, auth_provider, issuer, provider_user_id, email)
      select ${newIdentityId}, ${organizationId}, 'service', '', ${email}, ${email} from consumed
      on conflict (organization_id, auth_provider, issuer, provider_user_id) do update set email = excluded.email
      returning id, (select extract(epoch from consumed_at) * 1000 from consumed)::double precision as now_ms`
    const row = rows[0]
    return row && { identityId: row.id, nowMs: row.now_ms }
  },

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
