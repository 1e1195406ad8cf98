import type { Queryable } from '../../db/pool.ts'
import type { SponsorSpending } from '../smart-accounts/index.ts'

/** The calendar month (UTC) of this moment. */
const currentMonth = `to_char(app_now() at time zone 'UTC', 'YYYY-MM')`

/** What the months of wallets hold and have cost. */
export const sponsorSpending: SponsorSpending = {
  async of(sql, walletIds) {
    const rows = await sql<{ wallet_id: string; spent_micro: string }[]>`
      select wallet_id, reserved_micro + settled_micro as spent_micro from sponsor_months
      where wallet_id = any(${[...walletIds]}::uuid[]) and month = ${sql.unsafe(currentMonth)}`
    return new Map(rows.map(({ wallet_id, spent_micro }) => [wallet_id, BigInt(spent_micro)]))
  },
}

/** Why a wallet may not reserve: its status, and what it has spent or reserved in the current month (micro-EUR). */
export async function budgetOf(
  sql: Queryable,
  walletId: string,
): Promise<{ status: 'active' | 'archived'; spentMicro: bigint }> {
  const rows = await sql<{ status: 'active' | 'archived'; spent_micro: string }[]>`
    select w.status, coalesce(m.reserved_micro + m.settled_micro, 0) as spent_micro
    from wallets w left join sponsor_months m on m.wallet_id = w.id and m.month = ${sql.unsafe(currentMonth)}
    where w.id = ${walletId}`
  const [row] = rows
  if (row === undefined) throw new Error('A wallet that exists cannot be read.')
  return { status: row.status, spentMicro: BigInt(row.spent_micro) }
}
