import type { Curve } from '@symbolon/networks'
import type { Queryable } from '../../../db/pool.ts'
import type { NewWalletShares } from '../shares/wallet-shares.store.ts'
import type { Owner, Wallet, WalletAndOwner } from './wallet.ts'

/** The columns of `Wallet`, for a table alias `w`. */
export const walletColumns = `w.id, w.organization_id as "organizationId", w.user_identity_id as "userIdentityId", w.curve,
  w.chain_type as "chainType", w.address, w.addresses, w.public_key as "publicKey", w.status, w.signing_mode as "signingMode",
  w.polynomial_version as "polynomialVersion", w.created_at as "createdAt", w.updated_at as "updatedAt",
  w.archived_at as "archivedAt"`

/** The columns of `Owner`, for a table alias `i`. */
export const ownerColumns = `i.auth_provider as "authProvider", i.provider_user_id as "providerUserId", i.email`

/** A new row of `wallets`. The database sets sequence, status and times. */
export type NewWallet = Omit<Wallet, 'status' | 'createdAt' | 'updatedAt' | 'archivedAt'> & {
  teeShares?: {
    shareA: Uint8Array
    shareB: Uint8Array
    keyVersionA: number
    keyVersionB: number
    /** The enclave's key ring that sealed share A: this installation's, or nothing is inserted. */
    ringId: string
  }
  /** The shares of client mode have a table of their own. */
  clientShares?: NewWalletShares
}

const bytea = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`

/** The statements on `wallets`; each names the organization. */
export const walletsStore = {
  /** Inserts the wallet; undefined when its owner has one on this curve. Locks the organization's counters. */
  async insert(tx: Queryable, wallet: NewWallet): Promise<Wallet | undefined> {
    const { teeShares: tee } = wallet
    const record = {
      id: wallet.id,
      organization_id: wallet.organizationId,
      user_identity_id: wallet.userIdentityId,
      curve: wallet.curve,
      chain_type: wallet.chainType,
      account_type: 'eoa',
      address: wallet.address,
      addresses: wallet.addresses,
      public_key: bytea(wallet.publicKey),
      signing_mode: wallet.signingMode,
      polynomial_version: wallet.polynomialVersion,
      ...(tee && {
        share_a: bytea(tee.shareA),
        share_b: bytea(tee.shareB),
        key_version_a: tee.keyVersionA,
        key_version_b: tee.keyVersionB,
        ring_id: tee.ringId,
      }),
    }
    const rows = await tx<Wallet[]>`
      select ${tx.unsafe(walletColumns)}
      from insert_wallet(jsonb_populate_record(null::wallets, ${JSON.stringify(record)}::text::jsonb)) w`
    return rows[0]
  },

  async byId(sql: Queryable, organizationId: string, id: string): Promise<WalletAndOwner | undefined> {
    const rows = await sql<(Wallet & Owner)[]>`
      select ${sql.unsafe(walletColumns)}, ${sql.unsafe(ownerColumns)}
      from wallets w join identities i on i.id = w.user_identity_id
      where w.id = ${id} and w.organization_id = ${organizationId}`
    return rows[0] && { wallet: rows[0], owner: rows[0] }
  },

  async byOwner(sql: Queryable, organizationId: string, identityId: string): Promise<Wallet[]> {
    return sql<Wallet[]>`
      select ${sql.unsafe(walletColumns)} from wallets w
      where w.organization_id = ${organizationId} and w.user_identity_id = ${identityId}
      order by w.created_at desc, w.id desc`
  },

  async byOwnerAndCurve(
    sql: Queryable,
    organizationId: string,
    identityId: string,
    curve: Curve,
  ): Promise<WalletAndOwner | undefined> {
    const rows = await sql<(Wallet & Owner)[]>`
      select ${sql.unsafe(walletColumns)}, ${sql.unsafe(ownerColumns)}
      from wallets w join identities i on i.id = w.user_identity_id
      where w.organization_id = ${organizationId} and w.user_identity_id = ${identityId} and w.curve = ${curve}`
    return rows[0] && { wallet: rows[0], owner: rows[0] }
  },

  /** Archives or unarchives; undefined when the organization has no such wallet. Locks the organization's counters. */
  async setStatus(tx: Queryable, organizationId: string, id: string, status: Wallet['status']) {
    const rows = await tx<{ changed: boolean; user_identity_id: string; curve: Curve }[]>`
      select * from set_wallet_status(organization => ${organizationId}, wallet => ${id}, new_status => ${status})`
    return rows[0] && { isChanged: rows[0].changed, userIdentityId: rows[0].user_identity_id }
  },
}
