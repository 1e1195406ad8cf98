import type { Curve } from '@symbolon/networks'
import type { Queryable } from '../../../db/pool.ts'
import type { RecoverySharePlace } from '../../../ports/recovery-share-store.ts'

/** A new row of `wallet_shares`: the shares of one polynomial. */
export type NewWalletShares = {
  walletId: string
  organizationId: string
  polynomialVersion: number
  providerIndex: number
  providerEnvelope: Uint8Array
  providerKeyVersion: number
  recoveryIndex: number
  recoveryPlace: RecoverySharePlace
}

/** A client wallet with the shares in force. */
export type ClientWallet = Omit<NewWalletShares, 'providerKeyVersion'> & {
  userIdentityId: string
  curve: Curve
  status: 'active' | 'archived'
  /** Compressed (SEC 1), or the 32 bytes of ed25519. */
  publicKey: Uint8Array
}

type Row = Omit<ClientWallet, 'recoveryPlace'> & {
  recoveryAt: 'local' | 'webhook'
  recoveryId: string | null
}

/** The statements of client wallets' shares. */
export const walletSharesStore = {
  /** Inserts the shares of a polynomial that comes into force. */
  async insert(tx: Queryable, shares: NewWalletShares): Promise<void> {
    const { recoveryPlace: place } = shares
    await tx`
      insert into wallet_shares (wallet_id, polynomial_version, organization_id, provider_index, provider_envelope,
        provider_key_version, recovery_index, recovery_at, recovery_id)
      values (${shares.walletId}, ${shares.polynomialVersion}, ${shares.organizationId}, ${shares.providerIndex},
        ${shares.providerEnvelope}, ${shares.providerKeyVersion}, ${shares.recoveryIndex}, ${place.at},
        ${place.at === 'local' ? place.id : null})`
  },

  /** Whether the wallet frame's origin, which keeps the device shares, is still the one that this process serves: until the transaction ends. */
  async holdsFrame(tx: Queryable, origin: string): Promise<boolean> {
    const rows = await tx<{ isHeld: boolean }[]>`select hold_frame_origin(served => ${origin}) as "isHeld"`
    return rows[0]?.isHeld === true
  },

  /** The user's client wallet of a curve. */
  async ofUser(
    sql: Queryable,
    organizationId: string,
    identityId: string,
    curve: Curve,
  ): Promise<ClientWallet | undefined> {
    const rows = await sql<Row[]>`
      select w.id as "walletId", w.organization_id as "organizationId", w.user_identity_id as "userIdentityId",
        w.curve, w.status, w.public_key as "publicKey", s.polynomial_version as "polynomialVersion", s.provider_index as "providerIndex",
        s.provider_envelope as "providerEnvelope", s.recovery_index as "recoveryIndex", s.recovery_at as "recoveryAt",
        s.recovery_id as "recoveryId"
      from wallets w join wallet_shares s on s.wallet_id = w.id and s.rotated_at is null
      where w.organization_id = ${organizationId} and w.user_identity_id = ${identityId} and w.curve = ${curve}`
    const row = rows[0]
    if (row === undefined) return undefined
    const { recoveryAt, recoveryId, ...wallet } = row
    const isLocal = recoveryAt === 'local' && recoveryId !== null
    return { ...wallet, recoveryPlace: isLocal ? { at: 'local', id: recoveryId } : { at: 'webhook' } }
  },

  /** Rotates the shares in force: the row stays, the share is deleted. */
  async rotate(tx: Queryable, walletId: string): Promise<void> {
    await tx`
      update wallet_shares set rotated_at = app_now(), provider_envelope = null, provider_key_version = null
      where wallet_id = ${walletId} and rotated_at is null`
  },
}
