import type { Queryable, Transaction } from '../../../db/pool.ts'
import { onlyValue } from '../../../db/sure-rows.ts'
import type { UserToken } from '../../../http/principal.ts'
import type { BrokenGuard } from '../../audit/index.ts'

/** A signed transaction on its way; addresses no longer matter, its bytes are signed. */
export type Broadcast = {
  id: string
  organizationId: string
  walletId: string
  userIdentityId: string
  chain: string
  txHash: string
  rawTx: Uint8Array
}

/** One that a process left behind. */
export type LeftBroadcast = Broadcast & { isWalletActive: boolean; isOld: boolean }

/** The statements on broadcasts. */
export const broadcastsStore = {
  /**
   * Writes the broadcast, for others to take over after `leaseMs` or the death of the process `holder`, if its wallet is active and the token valid; returns what
   * is not. The wallet's row is held, so whoever archives it waits, or is waited for.
   */
  async insert(
    sql: Queryable,
    broadcast: Broadcast,
    token: UserToken,
    { leaseMs, holder }: { leaseMs: number; holder: string },
  ): Promise<BrokenGuard | undefined> {
    const { id, organizationId, walletId, userIdentityId, chain, txHash, rawTx } = broadcast
    const rows = await sql<{ broken: BrokenGuard | null }[]>`
      with wallet as (
        select status from wallets where id = ${walletId} and organization_id = ${organizationId} for share),
      verdict as materialized (
        select case
          when not exists (select from wallet) then 'not_found'
          when (select status from wallet) <> 'active' then 'wallet_archived'
          when exists (select from revoked_tokens r where r.organization_id = ${organizationId}
            and r.token_hash = decode(${token.hash}, 'hex')) then 'token_revoked'
          when ${token.expiresAt}::timestamptz <= app_now() then 'token_expired' end as broken),
      made as (
        insert into broadcasts (id, organization_id, wallet_id, user_identity_id, chain, tx_hash, raw_tx, created_at,
          next_attempt_at, held_by)
        select ${id}, ${organizationId}, ${walletId}, ${userIdentityId}, ${chain}, ${txHash}, ${rawTx}, app_now(),
          app_now() + ${leaseMs} * interval '1 ms', ${holder}
        from verdict where broken is null)
      select broken from verdict`
    return onlyValue(rows, 'broken') ?? undefined
  },

  /** Ends a broadcast; false when somebody else has. */
  async remove(tx: Transaction, id: string): Promise<boolean> {
    const result = await tx`delete from broadcasts where id = ${id}`
    return result.count === 1
  },

  /** Takes over what is due, for `leaseMs`. `isOld`: of `oldMs` and more. */
  async claim(
    sql: Queryable,
    { rowsMax, leaseMs, oldMs, holder }: { rowsMax: number; leaseMs: number; oldMs: number; holder: string },
  ): Promise<LeftBroadcast[]> {
    return sql<LeftBroadcast[]>`
      update broadcasts b set next_attempt_at = app_now() + ${leaseMs} * interval '1 ms', held_by = ${holder}
      from (
        select id from broadcasts where next_attempt_at <= app_now()
        order by next_attempt_at limit ${rowsMax} for update skip locked) due, wallets w
      where b.id = due.id and w.id = b.wallet_id
      returning b.id, b.organization_id as "organizationId", b.wallet_id as "walletId",
        b.user_identity_id as "userIdentityId", b.chain, b.tx_hash as "txHash", b.raw_tx as "rawTx",
        w.status = 'active' as "isWalletActive",
        b.created_at <= app_now() - ${oldMs} * interval '1 ms' as "isOld"`
  },
}
