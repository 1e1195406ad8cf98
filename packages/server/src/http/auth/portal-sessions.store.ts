import type { PortalRole } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'
import type { Organization, PortalPrincipal } from '../principal.ts'

/** A session ends when it is not used for this long. */
const idleMs = 2 * 3_600_000
const touchMs = 60_000

type Row = {
  session_id: string
  user_id: string
  email: string
  name: string
  expires_at: Date
  role: PortalRole | null
  organization: Organization | null
}

/**
 * Finds a portal session by its token's hash, with the user's role in an organization, in one statement, which also notes the first time that
 * a member opened it. Undefined for a session that is unknown, ended, expired or idle for too long; `organization` and `role` are missing
 * for those who are not members.
 */
export async function findPortalSession(
  sql: Queryable,
  tokenHash: Uint8Array,
  organizationId: string | undefined,
): Promise<PortalPrincipal | undefined> {
  const rows = await sql<Row[]>`
    with clock as materialized (select app_now() as now),
    found as materialized (
      select s.id, s.user_id, s.expires_at, s.last_seen_at from portal_sessions s, clock
      where s.token_hash = ${tokenHash} and s.ended_at is null and s.expires_at > clock.now
        and s.last_seen_at > clock.now - ${idleMs} * interval '1 millisecond'),
    touched as (
      update portal_sessions p set last_seen_at = clock.now from found, clock
      where p.id = found.id and found.last_seen_at < clock.now - ${touchMs} * interval '1 millisecond'),
    entered as (
      -- A row that a change holds is marked by the next request: nobody waits here.
      update organization_members e set entered_at = clock.now from clock where e.id = (
        select m.id from found f join organization_members m on m.user_id = f.user_id
        where m.organization_id = ${organizationId ?? null} and m.entered_at is null for no key update of m skip locked))
    select f.id as session_id, f.user_id, f.expires_at, u.email, u.name, m.role,
      case when o.id is not null then json_build_object('id', o.id, 'signingMode', o.signing_mode,
        'supportedNetworks', o.supported_networks, 'authMode', o.auth_mode, 'oidcIssuer', o.oidc_issuer,
        'oidcAudience', o.oidc_audience, 'allowedOrigins', o.allowed_origins, 'receipts', o.receipts,
        'authChangedAtMs', case when o.auth_changed_at = '-infinity' then 0
          else extract(epoch from o.auth_changed_at) * 1000 end::double precision) end as organization
    from found f
    join portal_users u on u.id = f.user_id
    left join organization_members m on m.user_id = f.user_id and m.organization_id = ${organizationId ?? null}
    left join organizations o on o.id = m.organization_id`
  const [row] = rows
  if (row === undefined) return undefined
  return {
    user: { id: row.user_id, email: row.email, name: row.name },
    session: { id: row.session_id, expiresAt: row.expires_at },
    ...(row.organization !== null && row.role !== null && { organization: row.organization, role: row.role }),
  }
}
