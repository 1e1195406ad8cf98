import type { Queryable } from '../../../db/pool.ts'
import { onlyValue } from '../../../db/sure-rows.ts'

/** Whose turn it is: one un-committed nonce of a wallet on a chain at a time. */
export const nonceLeasesStore = {
  /** Acquires the lease for `leaseMs`, or until the process `processId` is dead, and returns the nonce after the newest committed one; undefined while another holder has it. */
  async acquire(
    sql: Queryable,
    {
      walletId,
      chain,
      holder,
      processId,
      leaseMs,
    }: { walletId: string; chain: string; holder: string; processId: string; leaseMs: number },
  ): Promise<bigint | undefined> {
    const rows = await sql<{ next: string }[]>`
      insert into agent_nonces as n (wallet_id, chain, holder, lease_until, held_by)
      values (${walletId}, ${chain}, ${holder}, app_now() + ${leaseMs} * interval '1 ms', ${processId})
      on conflict (wallet_id, chain) do update set holder = excluded.holder, lease_until = excluded.lease_until,
        held_by = excluded.held_by
      where n.holder is null or n.lease_until <= app_now()
      returning n.next::text`
    const [row] = rows
    return row && BigInt(row.next)
  },

  /** Releases the lease, if it is still this holder's; the next holder gets its nonce. */
  async release(
    sql: Queryable,
    { walletId, chain, holder }: { walletId: string; chain: string; holder: string },
  ) {
    await sql`
      update agent_nonces set holder = null, lease_until = null, held_by = null
      where wallet_id = ${walletId} and chain = ${chain} and holder = ${holder}`
  },

  /** Has transactions from a nonce on sent again: the chain has dropped the block that counted them. */
  async reopen(sql: Queryable, walletId: string, chain: string, from: bigint): Promise<void> {
    await sql`
      update agent_transactions set state = 'sent', next_attempt_at = app_now()
      where wallet_id = ${walletId} and chain = ${chain} and state = 'seen' and nonce >= ${from.toString()}::numeric`
  },

  /** The lowest nonce from `from` on whose transaction a node refused. */
  async refused(sql: Queryable, walletId: string, chain: string, from: bigint): Promise<bigint | undefined> {
    const rows = await sql<{ nonce: string | null }[]>`
      select min(nonce)::text as nonce from agent_transactions
      where wallet_id = ${walletId} and chain = ${chain} and state = 'refused' and nonce >= ${from.toString()}::numeric`
    const nonce = onlyValue(rows, 'nonce')
    return nonce === null ? undefined : BigInt(nonce)
  },
}
