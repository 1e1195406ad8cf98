import type { Hex } from '@symbolon/networks/evm'
import type { Queryable } from '../../../db/pool.ts'

/** A wallet as EVM chains know it; `evmAddress` (EIP-55) is null for one of another curve. */
export type EvmWallet = {
  id: string
  organizationId: string
  userIdentityId: string
  status: 'active' | 'archived'
  evmAddress: Hex | null
}

/** Finds wallets of an organization for EVM chains; another organization's wallets are not found. */
export type EvmWallets = {
  /** The user's secp256k1 wallet, or else the user's other wallet, if there is one. */
  ofUser(organizationId: string, identityId: string): Promise<EvmWallet | undefined>
  byId(organizationId: string, walletId: string): Promise<EvmWallet | undefined>
}

const columns = `id, organization_id as "organizationId", user_identity_id as "userIdentityId", status,
  case when curve = 'secp256k1' then addresses ->> 'evm' end as "evmAddress"`

/** Finds them in the database. */
export const evmWalletsStore = (sql: Queryable): EvmWallets => ({
  async ofUser(organizationId, identityId) {
    const rows = await sql<EvmWallet[]>`
      select ${sql.unsafe(columns)} from wallets
      where organization_id = ${organizationId} and user_identity_id = ${identityId}
      order by curve = 'secp256k1' desc limit 1`
    return rows[0]
  },

  async byId(organizationId, walletId) {
    const rows = await sql<EvmWallet[]>`
      select ${sql.unsafe(columns)} from wallets where id = ${walletId} and organization_id = ${organizationId}`
    return rows[0]
  },
})
