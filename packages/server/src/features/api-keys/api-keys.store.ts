import type { Queryable } from '../../db/pool.ts'
import type { Statement } from '../../db/statement.ts'
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

// As the index `api_keys_living` has it.
const isLiving =
  "((case when revoked_at is null then type end) is not null and coalesce(expires_at, 'infinity') > now.moment)"

/** Keys of a type that work, in one organization. */
export const livingMax = 100

/** Keys that have ended in a list: they are as many as somebody makes. */
const endedShown = 100

type NewRow = Pick<ApiKeyRow, 'id' | 'name' | 'type' | 'scope' | 'last4' | 'ipAllowlist'> & {
  organizationId: string
  hash: Uint8Array
  expiresAt: string | Date | null
}

/** The statements of API keys, as the portal manages them. */
export const apiKeysStore = {
  /** The keys that work and the newest that have ended, newest first. Each half reads an index of its own, however many have ended. */
  async list(sql: Queryable, organizationId: string): Promise<ApiKeyRow[]> {
    const keys = sql.unsafe(`select ${columns} from api_keys, now`)
    return sql<ApiKeyRow[]>`
      with now as materialized (select app_now() as moment)
      (${keys} where organization_id = ${organizationId} and ${sql.unsafe(isLiving)})
      union all
      (${keys} where organization_id = ${organizationId} and not ${sql.unsafe(isLiving)}
        order by created_at desc, id desc limit ${endedShown})
      order by "createdAt" desc, id desc`
  },

  /** Stores a key, unless the organization has `livingMax` of its type that work: undefined then. Exact, however many are stored at once. */
  async insertBelowMax(tx: Queryable, key: NewRow): Promise<ApiKeyRow | undefined> {
    return insert(
      tx,
      key,
      tx`where living_api_keys(organization => ${key.organizationId}, of_type => ${key.type}, enough => ${livingMax}) < ${livingMax}`,
    )
  },

  /** Stores a key, however many there are. */
  async insert(sql: Queryable, key: NewRow): Promise<ApiKeyRow> {
    const row = await insert(sql, key, sql``)
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

async function insert(
  sql: Queryable,
  key: NewRow,
  condition: Statement<unknown>,
): Promise<ApiKeyRow | undefined> {
  // Ranges may be given with host bits (10.0.0.7/8): what they mean is kept.
  const rows = await sql<ApiKeyRow[]>`
    insert into api_keys (id, organization_id, name, type, scope, hash, last4, ip_allowlist, expires_at)
    select ${key.id}, ${key.organizationId}, ${key.name}, ${key.type}, ${key.scope}, ${key.hash}, ${key.last4},
      array(select network(range::inet)::cidr from unnest(${key.ipAllowlist}::text[]) range), ${key.expiresAt} ${condition}
    returning ${sql.unsafe(columns)}`
  return rows[0]
}
