import type { Hex } from '@symbolon/networks/evm'
import type { Queryable, Transaction } from '../../db/pool.ts'

/** A smart account as its row has it; `month` (UTC, `YYYY-MM`) is that of the moment it was read. */
export type SmartAccountRow = {
  id: string
  organizationId: string
  walletId: string
  chain: string
  chainId: number
  factory: Hex
  entryPoint: Hex
  address: Hex
  ownerAddress: Hex
  deployed: boolean
  createdBy: 'end_user' | 'owner'
  createdAt: Date
  month: string
}

const columns = `a.id, a.organization_id as "organizationId", a.wallet_id as "walletId", a.chain,
  a.chain_id::double precision as "chainId", a.factory, a.entry_point as "entryPoint", a.address,
  a.owner_address as "ownerAddress", a.deployed, a.created_by as "createdBy", a.created_at as "createdAt",
  to_char(app_now() at time zone 'UTC', 'YYYY-MM') as month`

/** The statements on smart accounts. */
export const smartAccountsStore = {
  /** Inserts the account for its active wallet unless there is one. Locks the organization's counters. */
  async insert(
    tx: Transaction,
    account: Omit<SmartAccountRow, 'createdAt' | 'month'>,
  ): Promise<SmartAccountRow | undefined> {
    const record = {
      id: account.id,
      organization_id: account.organizationId,
      wallet_id: account.walletId,
      chain: account.chain,
      chain_id: account.chainId,
      factory: account.factory,
      entry_point: account.entryPoint,
      address: account.address,
      owner_address: account.ownerAddress,
      deployed: account.deployed,
      created_by: account.createdBy,
    }
    const rows = await tx<SmartAccountRow[]>`
      select ${tx.unsafe(columns)}
      from insert_smart_account(jsonb_populate_record(null::smart_accounts, ${JSON.stringify(record)}::text::jsonb)) a`
    return rows[0]
  },

  async find(
    sql: Queryable,
    walletId: string,
    chain: string,
    factory: Hex,
  ): Promise<SmartAccountRow | undefined> {
    const rows = await sql<SmartAccountRow[]>`
      select ${sql.unsafe(columns)} from smart_accounts a
      where a.wallet_id = ${walletId} and a.chain = ${chain} and a.factory = ${factory}`
    return rows[0]
  },

  /** All accounts of a wallet, oldest first. */
  async ofWallet(sql: Queryable, walletId: string): Promise<SmartAccountRow[]> {
    return sql<SmartAccountRow[]>`
      select ${sql.unsafe(columns)} from smart_accounts a where a.wallet_id = ${walletId}
      order by a.created_at, a.id`
  },

  async markDeployed(sql: Queryable, ids: readonly string[]): Promise<void> {
    await sql`update smart_accounts set deployed = true where id = any(${[...ids]}::uuid[]) and not deployed`
  },
}
