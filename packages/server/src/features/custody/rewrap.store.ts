import type { Queryable } from '../../db/pool.ts'

/** The key-encryption keys around a TEE wallet's shares: the enclave's and that of our KMS. */
export type TeePurpose = 'tee-a' | 'tee-b'

/** What wraps one share of one wallet. */
export type WrappedShare = {
  walletId: string
  organizationId: string
  polynomialVersion: number
  share: Uint8Array
  keyVersion: number
}

/** Where a pass goes on: after this wallet. */
export type RewrapCursor = Pick<WrappedShare, 'keyVersion' | 'walletId'>

const columns = {
  'tee-a': { share: 'share_a', version: 'key_version_a' },
  'tee-b': { share: 'share_b', version: 'key_version_b' },
} as const

/** The statements of the rewrap job. */
export const rewrapStore = {
  /** Locks up to `rowsMax` wallets below `version` that nobody else holds, oldest version first. */
  async lockStale(
    tx: Queryable,
    purpose: TeePurpose,
    version: number,
    after: RewrapCursor,
    rowsMax: number,
  ): Promise<WrappedShare[]> {
    const { share, version: held } = columns[purpose]
    return tx<WrappedShare[]>`
      select id as "walletId", organization_id as "organizationId", polynomial_version as "polynomialVersion",
        ${tx(share)} as share, ${tx(held)} as "keyVersion"
      from wallets
      where ${tx(held)} < ${version} and (${tx(held)}, id) > (${after.keyVersion}, ${after.walletId})
      order by ${tx(held)}, id limit ${rowsMax} for no key update skip locked`
  },

  /** Replaces the share unless the row has moved on since it was read; answers whether it was replaced. */
  async replace(
    tx: Queryable,
    purpose: TeePurpose,
    old: WrappedShare,
    next: { share: Uint8Array; keyVersion: number },
  ): Promise<boolean> {
    const { share, version: held } = columns[purpose]
    const result = await tx`
      update wallets set ${tx(share)} = ${next.share}, ${tx(held)} = ${next.keyVersion}
      where id = ${old.walletId} and ${tx(held)} = ${old.keyVersion} and polynomial_version = ${old.polynomialVersion}`
    return result.count === 1
  },

  /** Wallets whose share is still below `version`. */
  async countStale(sql: Queryable, purpose: TeePurpose, version: number): Promise<number> {
    const rows = await sql<{ count: string }[]>`
      select count(*) from wallets where ${sql(columns[purpose].version)} < ${version}`
    return Number(rows[0]?.count ?? 0)
  },
}
