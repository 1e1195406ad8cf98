import type { Queryable } from '../../db/pool.ts'
import { onlyValue } from '../../db/sure-rows.ts'

/** An API key as its organization sees it. */
export type ApiKeyRow = {
  id: string
  name: string
  type: 'publishable' | 'secret'
  scope: 'full' | 'read' | null
  last4: string
  ipAllowlist: string[]
  expiresAt: Date | null
  revokedAt: Date | null
  createdAt: Date
}

const columns = `id, name, type, scope, last4, ip_allowlist::text[] as "ipAllowlist", expires_at as "expiresAt",
  revoked_at as "revokedAt", created_at as "createdAt"`

/** The statements of API keys, as the portal manages them. */
export const apiKeysStore = {
  async list(sql: Queryable, organizationId: string): Promise<ApiKeyRow[]> {
    return sql<ApiKeyRow[]>`
      select ${sql.unsafe(columns)} from api_keys where organization_id = ${organizationId} order by created_at desc, id desc`
  },

  async insert(
    sql: Queryable,
    key: Pick<ApiKeyRow, 'id' | 'name' | 'type' | 'scope' | 'last4' | 'ipAllowlist'> & {
      organizationId: string
      hash: Uint8Array
      expiresAt: string | Date | null
    },
  ): Promise<ApiKeyRow> {
    // Ranges may be given with host bits (10.0.0.7/8): what they mean is kept.
    const rows = await sql<ApiKeyRow[]>`
      insert into api_keys (id, organization_id, name, type, scope, hash, last4, ip_allowlist, expires_at)
      values (${key.id}, ${key.organizationId}, ${key.name}, ${key.type}, ${key.scope}, ${key.hash}, ${key.last4},
        array(select network(range::inet)::cidr from unnest(${key.ipAllowlist}::text[]) range), ${key.expiresAt})
      returning ${sql.unsafe(columns)}`
    const [row] = rows
    if (row === undefined) throw new Error('The key was not stored.')
    return row
  },

  async isPast(sql: Queryable, moment: string): Promise<boolean> {
    const rows = await sql<{ isPast: boolean }[]>`
      select ${moment}::timestamptz <= app_now() as "isPast"`
    return onlyValue(rows, 'isPast')
  },

  /** A key that works, locked until the transaction ends; undefined for another organization's. */
  async living(tx: Queryable, organizationId: string, id: string): Promise<ApiKeyRow | undefined> {
    const rows = await tx<ApiKeyRow[]>`
      select ${tx.unsafe(columns)} from api_keys
      where id = ${id} and organization_id = ${organizationId} and revoked_at is null
        and (expires_at is null or expires_at > app_now())
      for update`
    return rows[0]
  },

  /** Revokes a key; `wasRevoked` where it was so already, undefined for a key that the organization does not have. */
  async revoke(
    tx: Queryable,
    organizationId: string,
    id: string,
  ): Promise<(ApiKeyRow & { wasRevoked: boolean }) | undefined> {
    const rows = await tx<(ApiKeyRow & { wasRevoked: boolean })[]>`
      update api_keys k set revoked_at = coalesce(k.revoked_at, app_now())
      from (select id as locked_id, revoked_at is not null as was_revoked from api_keys
        where id = ${id} and organization_id = ${organizationId} for update) o
      where k.id = o.locked_id
      returning ${tx.unsafe(columns)}, o.was_revoked as "wasRevoked"`
    return rows[0]
  },

  /** Lets a key end in so many seconds, unless it ends sooner anyway. */
  async endIn(tx: Queryable, id: string, seconds: number): Promise<void> {
    await tx`
      update api_keys set expires_at = least(expires_at, app_now() + ${seconds} * interval '1 second') where id = ${id}`
  },

  /** The lock that releases of signatures take: behind it a key is revoked for whatever has not left yet. */
  async lock(tx: Queryable, organizationId: string): Promise<void> {
    await tx`select 1 from organization_counters where organization_id = ${organizationId} for update`
  },
}
