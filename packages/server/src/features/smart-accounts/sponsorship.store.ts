import type { Queryable } from '../../db/pool.ts'

/** The calendar month (UTC) of this moment. */
const currentMonth = `to_char(app_now() at time zone 'UTC', 'YYYY-MM')`

/** The statements on what the gas of wallets costs the installation, per month. */
export const sponsorshipStore = {
  /** What a wallet has spent or reserved in the current month, in micro-EUR. */
  async spentMicro(sql: Queryable, walletId: string): Promise<bigint> {
    const rows = await sql<{ spent: string }[]>`
      select reserved_micro + settled_micro as spent from sponsor_months
      where wallet_id = ${walletId} and month = ${sql.unsafe(currentMonth)}`
    return BigInt(rows[0]?.spent ?? 0)
  },

  /** Why a wallet may not reserve: its status, and what it has spent or reserved in the current month, in micro-EUR. */
  async budgetOf(
    sql: Queryable,
    walletId: string,
  ): Promise<{ status: 'active' | 'archived'; spentMicro: bigint }> {
    const rows = await sql<{ status: 'active' | 'archived'; spent: string }[]>`
      select w.status, coalesce(m.reserved_micro + m.settled_micro, 0) as spent
      from wallets w left join sponsor_months m on m.wallet_id = w.id and m.month = ${sql.unsafe(currentMonth)}
      where w.id = ${walletId}`
    const [row] = rows
    if (row === undefined) throw new Error('A wallet that exists cannot be read.')
    return { status: row.status, spentMicro: BigInt(row.spent) }
  },
}
