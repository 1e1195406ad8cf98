import type { Queryable } from '../../db/pool.ts'

/** A subtree over 256^`height` leaves; `height` is 1 or more. */
export type StoredSubtree = { height: number; position: number; hash: Uint8Array }

/** The statements of the Merkle log beside its events. */
export const auditTreeStore = {
  /** Counts the events of an organization; undefined for an unknown one. */
  async size(sql: Queryable, organizationId: string): Promise<number | undefined> {
    const rows = await sql<{ events: string }[]>`
      select events from organization_counters where organization_id = ${organizationId}`
    return rows[0] === undefined ? undefined : Number(rows[0].events)
  },

  /** Counts the stored subtrees of a height, which are stored in order, without gaps. */
  async stored(sql: Queryable, organizationId: string, height: number): Promise<number> {
    const rows = await sql<{ next: string }[]>`
      select coalesce(max(position) + 1, 0) as next from audit_subtrees
      where organization_id = ${organizationId} and height = ${height}`
    return Number(rows[0]?.next ?? 0)
  },

  /** Hashes of a height from a position on, in order. */
  async hashes(
    sql: Queryable,
    organizationId: string,
    { height, from, count }: { height: number; from: number; count: number },
  ): Promise<Uint8Array[]> {
    const rows = await sql<{ hash: Uint8Array }[]>`
      select hash from audit_subtrees
      where organization_id = ${organizationId} and height = ${height} and position >= ${from} and position < ${from + count}
      order by position`
    return rows.map(({ hash }) => hash)
  },

  /** Stores subtrees; what another process stored first is the same, because the leaves never change. */
  async insert(sql: Queryable, organizationId: string, subtrees: readonly StoredSubtree[]): Promise<void> {
    if (subtrees.length === 0) return
    await sql`
      insert into audit_subtrees (organization_id, height, position, hash)
      select ${organizationId}, x.height, x.position, decode(x.hash, 'hex')
      from unnest(${subtrees.map(({ height }) => height)}::smallint[],
        ${subtrees.map(({ position }) => position)}::bigint[],
        ${subtrees.map(({ hash }) => Buffer.from(hash).toString('hex'))}::text[]) x(height, position, hash)
      on conflict do nothing`
  },

  /** Organizations that have `leaves` new events or more that no subtree covers. */
  async lagging(sql: Queryable, leaves: number, limit: number): Promise<string[]> {
    const rows = await sql<{ id: string }[]>`
      select c.organization_id as id from organization_counters c
      where c.events >= ${leaves} and c.events >= ${leaves} * (1 + coalesce((
        select max(s.position) + 1 from audit_subtrees s where s.organization_id = c.organization_id and s.height = 1), 0))
      limit ${limit}`
    return rows.map(({ id }) => id)
  },

  /**
   * The root that was first vouched for at this size, and when: this one, unless there is one already. There is one answer
   * per size, whoever asks and however often.
   */
  async checkpoint(
    sql: Queryable,
    organizationId: string,
    { size, root }: { size: number; root: Uint8Array },
  ): Promise<{ root: Uint8Array; at: Date }> {
    const rows = await sql<{ root: Uint8Array; at: Date }[]>`
      with added as (
        insert into audit_checkpoints (organization_id, tree_size, root_hash, issued_at)
        values (${organizationId}, ${size}, ${root}, date_trunc('milliseconds', app_now()))
        on conflict (organization_id, tree_size) do nothing
        returning root_hash as root, issued_at as at)
      select root, at from added
      union all
      select root_hash, issued_at from audit_checkpoints where organization_id = ${organizationId} and tree_size = ${size}
      limit 1`
    const [row] = rows
    if (row === undefined) return auditTreeStore.checkpoint(sql, organizationId, { size, root })
    return row
  },
}
