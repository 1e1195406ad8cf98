import type { Queryable } from '../../../db/pool.ts'

/** The outcome of a claim: `version` is null unless the attempt holds the reservation, and `state` says why. */
export type Claimed<state extends string = string> = {
  state: state
  version: number | null
  isNewOffer: boolean | null
}

/** The claim of an attempt: `shareHash` names the recovery share that it would store, `holder` the process that is at it. */
export type Claim = { attemptId: string; shareHash: Uint8Array; leaseMs: number; holder: string }

/** The statements that raise the version of a wallet's shares. */
export const shareVersionsStore = {
  /** Deletes an offer whose share certainly never arrives; its version is free for another share. */
  async withdrawOffer(sql: Queryable, walletId: string, version: number): Promise<void> {
    await sql`delete from recovery_offers where wallet_id = ${walletId} and polynomial_version = ${version}`
  },

  /** Raises the wallet's version from exactly `fromVersion`; otherwise writes nothing and returns undefined. */
  async raise(
    tx: Queryable,
    { walletId, fromVersion, toVersion }: { walletId: string; fromVersion: number; toVersion: number },
  ): Promise<{ address: string; at: Date } | undefined> {
    const rows = await tx<{ address: string; at: Date }[]>`
      update wallets set polynomial_version = ${toVersion}, updated_at = date_trunc('milliseconds', app_now())
      where id = ${walletId} and polynomial_version = ${fromVersion} and polynomial_version < ${toVersion}
      returning address, updated_at as at`
    if (rows[0] === undefined) return undefined
    await tx`delete from recovery_offers where wallet_id = ${walletId} and polynomial_version <= ${toVersion}`
    return rows[0]
  },

  /** Reserves the wallet for one refresh; see `claim_refresh`. */
  async claimRefresh(
    sql: Queryable,
    { walletId, fromVersion, ...claim }: Claim & { walletId: string; fromVersion: number },
  ): Promise<Claimed<'claimed' | 'busy' | 'changed'>> {
    const rows = await sql<Claimed<'claimed' | 'busy' | 'changed'>[]>`
      select state, version, is_new_offer as "isNewOffer" from claim_refresh(
        wallet => ${walletId}, from_version => ${fromVersion}, attempt => ${claim.attemptId}, offered_hash => ${claim.shareHash},
        lease => ${claim.leaseMs} * interval '1 millisecond', holder => ${claim.holder})`
    if (rows[0] === undefined) throw new Error('A claim returned no row.')
    return rows[0]
  },

  /** Ends an attempt's reservation of the wallet; `false` when it no longer holds one. */
  async unclaimRefresh(
    sql: Queryable,
    { walletId, attemptId }: { walletId: string; attemptId: string },
  ): Promise<boolean> {
    const result = await sql`
      delete from share_refreshes where wallet_id = ${walletId} and attempt_id = ${attemptId}`
    return result.count === 1
  },
}
