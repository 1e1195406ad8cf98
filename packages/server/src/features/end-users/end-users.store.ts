import type { Queryable } from '../../db/pool.ts'

/** An end user, with the number of their wallets. */
export type EndUserRow = {
  id: string
  authProvider: 'service' | 'oidc'
  providerUserId: string
  email: string | null
  wallets: number
  createdAt: Date
}

/** The page and filters of a list of end users. */
type EndUserQuery = { organizationId: string; limit: number; offset: number; email?: string }

type Row = EndUserRow & { total: string }

/**
 * A page of end users, newest first, with the exact total: by the dense sequence, so that the cost does not grow with the
 * offset, or along the index of addresses.
 */
export async function listEndUsers(
  sql: Queryable,
  { organizationId, limit, offset, email }: EndUserQuery,
): Promise<{ items: EndUserRow[]; total: number }> {
  const columns = sql`i.id, i.auth_provider as "authProvider", i.provider_user_id as "providerUserId", i.email,
    i.created_at as "createdAt", (
      select count(*)::integer from wallets w
      where w.organization_id = ${organizationId} and w.user_identity_id = i.id) as wallets`
  const rows =
    email === undefined
      ? await sql<Row[]>`
          select c.total, ${columns}
          from (select coalesce((select identities from identity_counters where organization_id = ${organizationId}), 0) as total) c
          left join lateral (
            select * from identities i
            where i.organization_id = ${organizationId} and i.org_seq <= c.total - ${offset}
            order by i.org_seq desc limit ${limit}) i on true
          order by i.org_seq desc`
      : await sql<Row[]>`
          with matching as materialized (
            select * from identities where organization_id = ${organizationId} and email = ${email})
          select c.total, ${columns}
          from (select count(*) as total from matching) c
          left join lateral (select * from matching order by org_seq desc limit ${limit} offset ${offset}) i on true
          order by i.org_seq desc`
  return {
    total: Number(rows[0]?.total ?? 0),
    // The total comes with every row, also with the one row of an empty page, which has no user.
    items: rows.filter(({ id }) => id !== null).map(({ total: _, ...row }) => row),
  }
}
