import type { Queryable } from '../../db/pool.ts'
import { monthlyCapMicro } from './sponsorship.ts'

/** What a wallet may still reserve in a month, in micro-EUR: by its own limit, that of its organization, and that of the installation. */
export type Budget = {
  status: 'active' | 'archived'
  leftMicro: bigint
  organizationLeftMicro: bigint
  installationLeftMicro: bigint
}

type BudgetRow = {
  status: 'active' | 'archived'
  spent: string
  organizationLeft: string
  installationLeft: string
}

const atLeastZero = (micro: bigint): bigint => (micro < 0n ? 0n : micro)

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

  /** Why a wallet may not reserve: its status, and what it, its organization and the installation have left in the current month. */
  async budgetOf(sql: Queryable, walletId: string): Promise<Budget> {
    const rows = await sql<BudgetRow[]>`
      select w.status, coalesce(m.reserved_micro + m.settled_micro, 0) as spent,
        o.sponsored_gas_eur_per_month * 1000000::bigint - coalesce(g.reserved_micro + g.settled_micro, 0) as "organizationLeft",
        coalesce(q.sponsored_gas_eur_per_month, 0) * 1000000::bigint - coalesce(i.reserved_micro + i.settled_micro, 0)
          as "installationLeft"
      from wallets w join organizations o on o.id = w.organization_id
        left join installation_quotas q on true
        left join installation_gas_months i on i.month = ${sql.unsafe(currentMonth)}
        left join sponsor_months m on m.wallet_id = w.id and m.month = ${sql.unsafe(currentMonth)}
        left join organization_gas_months g on g.organization_id = o.id and g.month = ${sql.unsafe(currentMonth)}
      where w.id = ${walletId}`
    const [row] = rows
    if (row === undefined) throw new Error('A wallet that exists cannot be read.')
    return {
      status: row.status,
      leftMicro: atLeastZero(monthlyCapMicro - BigInt(row.spent)),
      organizationLeftMicro: atLeastZero(BigInt(row.organizationLeft)),
      installationLeftMicro: atLeastZero(BigInt(row.installationLeft)),
    }
  },
}
