import type { Queryable } from '../../../db/pool.ts'
import { onlyValue } from '../../../db/sure-rows.ts'

/** The key-encryption keys of shares: the enclave's (`tee-a`) and those of our KMS. */
export type SharePurpose = 'tee-a' | 'tee-b' | 'provider' | 'recovery'

/** One sealed share of one wallet. */
export type WrappedShare = {
  /** The row that holds the share: of a wallet, or of one of its shares. */
  rowId: string
  walletId: string
  organizationId: string
  shareIndex: number
  polynomialVersion: number
  share: Uint8Array
  keyVersion: number
}

/** The cursor of a pass, which continues after this row. */
export type RewrapCursor = Pick<WrappedShare, 'keyVersion' | 'rowId'>

/** The table and columns of a purpose's shares. The column of key versions is null in rows without a share. */
const places = {
  'tee-a': {
    table: 'wallets',
    row: 'id',
    wallet: 'id',
    index: '1',
    share: 'share_a',
    version: 'key_version_a',
  },
  'tee-b': {
    table: 'wallets',
    row: 'id',
    wallet: 'id',
    index: '2',
    share: 'share_b',
    version: 'key_version_b',
  },
  provider: {
    table: 'wallet_shares',
    row: 'wallet_id',
    wallet: 'wallet_id',
    index: 'provider_index',
    share: 'provider_envelope',
    version: 'provider_key_version',
  },
  recovery: {
    table: 'recovery_shares',
    row: 'id',
    wallet: 'wallet_id',
    index: 'share_index',
    share: 'envelope',
    version: 'key_version',
  },
} as const satisfies Record<SharePurpose, object>

/** The statements of the rewrap job. */
export const rewrapStore = {
  /** Locks up to `rowsMax` shares below `version` that nobody else holds, oldest version first. */
  async lockStale(
    tx: Queryable,
    purpose: SharePurpose,
    version: number,
    after: RewrapCursor,
    rowsMax: number,
  ): Promise<WrappedShare[]> {
    const { table, row, wallet, index, share, version: held } = places[purpose]
    return tx<WrappedShare[]>`
      select ${tx.identifier(row)} as "rowId", ${tx.identifier(wallet)} as "walletId", organization_id as "organizationId",
        ${tx.unsafe(index)}::integer as "shareIndex", polynomial_version as "polynomialVersion",
        ${tx.identifier(share)} as share, ${tx.identifier(held)} as "keyVersion"
      from ${tx.identifier(table)}
      where ${tx.identifier(held)} < ${version} and (${tx.identifier(held)}, ${tx.identifier(row)}) > (${after.keyVersion}, ${after.rowId})
      order by ${tx.identifier(held)}, ${tx.identifier(row)} limit ${rowsMax} for no key update skip locked`
  },

  /** Replaces the share unless the row has changed since it was read; returns whether it did. */
  async replace(
    tx: Queryable,
    purpose: SharePurpose,
    old: WrappedShare,
    next: { share: Uint8Array; keyVersion: number },
  ): Promise<boolean> {
    const { table, row, share, version: held } = places[purpose]
    const result = await tx`
      update ${tx.identifier(table)} set ${tx.identifier(share)} = ${next.share}, ${tx.identifier(held)} = ${next.keyVersion}
      where ${tx.identifier(row)} = ${old.rowId} and ${tx.identifier(held)} = ${old.keyVersion}
        and polynomial_version = ${old.polynomialVersion}`
    return result.count === 1
  },

  /** Shares that are still below `version`. */
  async countStale(sql: Queryable, purpose: SharePurpose, version: number): Promise<number> {
    const { table, version: held } = places[purpose]
    const rows = await sql<{ count: string }[]>`
      select count(*) from ${sql.identifier(table)} where ${sql.identifier(held)} < ${version}`
    return Number(onlyValue(rows, 'count'))
  },
}
