import type { Queryable } from '../../db/pool.ts'

/** The ring that the database names, and the newest version that its rows name. */
export type RecordedRing = { id: string; version: number }

/** The ring's id, null while the database names none, and the state of each of its versions. */
export type RingVersions = {
  ringId: string | null
  versions: { version: number; state: 'current' | 'retired' }[]
}

/** A TEE wallet with what its ring has to open. */
export type RingSample = {
  organizationId: string
  walletId: string
  polynomialVersion: number
  shareA: Uint8Array
}

/** The statements on the enclave's key ring. */
export const ringsStore = {
  /** The ring of this installation, and whether it has TEE wallets that name none. */
  async read(sql: Queryable): Promise<{ ring: RecordedRing | undefined; isUnadopted: boolean }> {
    const [row] = await sql<{ id: string | null; version: number; unadopted: boolean }[]>`
      select r.id, greatest(
          (select max(v.version) from enclave_ring_versions v),
          (select max(w.key_version_a) from wallets w where w.key_version_a is not null), 0) as version,
        exists (select from wallets where signing_mode = 'tee' and ring_id is null) as unadopted
      from (select 1) one left join enclave_rings r on true`
    const ring = row?.id == null ? undefined : { id: row.id, version: row.version }
    return { ring, isUnadopted: row?.unadopted === true }
  },

  /** Names the first ring of an installation without TEE wallets; does nothing where one is named already. */
  async recordFirst(sql: Queryable, id: string): Promise<void> {
    await sql`
      insert into enclave_rings (id) select ${id} where not exists (select from wallets where signing_mode = 'tee')
      on conflict do nothing`
  },

  /** Names the versions up to this one, which is current until a later one is named; those before it are retired. */
  async recordVersions(sql: Queryable, { id, version }: RecordedRing): Promise<void> {
    // A process that saw an older version leaves the newer one current.
    await sql`
      insert into enclave_ring_versions as known (ring_id, version, state)
      select ${id}, v, case when v < ${version}::integer then 'retired' else 'current' end
      from generate_series(1, ${version}::integer) v
      on conflict (ring_id, version) do update set state = 'retired'
        where known.state = 'current' and excluded.state = 'retired'`
  },

  /** The ring that the database names with the versions that it knows, oldest first. */
  async versions(sql: Queryable): Promise<RingVersions> {
    const [ring] = await sql<{ id: string }[]>`select id from enclave_rings`
    const versions = await sql<RingVersions['versions']>`
      select version, state from enclave_ring_versions order by version`
    return { ringId: ring?.id ?? null, versions: [...versions] }
  },

  /** The oldest and the newest TEE wallet: what keys must open to be the installation's. */
  async samples(sql: Queryable): Promise<RingSample[]> {
    return sql<RingSample[]>`
      select organization_id as "organizationId", id as "walletId", polynomial_version as "polynomialVersion",
        share_a as "shareA"
      from wallets where signing_mode = 'tee'
        and id in ((select id from wallets where signing_mode = 'tee' order by id limit 1),
                   (select id from wallets where signing_mode = 'tee' order by id desc limit 1))`
  },

  /** Names the ring of all TEE wallets that name none; false where another ring is named. */
  async adopt(tx: Queryable, id: string): Promise<boolean> {
    await tx`insert into enclave_rings (id) values (${id}) on conflict do nothing`
    const rows = await tx`select from enclave_rings where id = ${id}`
    if (rows.length === 0) return false
    await tx`update wallets set ring_id = ${id} where signing_mode = 'tee' and ring_id is null`
    return true
  },
}
