import type { Curve } from '@symbolon/networks'
import type { Queryable } from '../../../db/pool.ts'
import type { Identity, Organization } from '../../../http/principal.ts'
import { type Failure, failure } from '../../../runtime/failure.ts'
import { tellEnclaveNow } from '../../custody/index.ts'
import type { Actor, WalletsCtx } from './create-wallet.ts'
import { enabledCurves } from './enabled-curves.ts'
import type { Wallet, WalletAndOwner } from './wallet.ts'
import { walletsStore } from './wallets.store.ts'

/** The user's newest active wallet of the curve; without a curve that of secp256k1, else the newest of any. */
export async function newestWallet(
  sql: Queryable,
  { organization, identity }: { organization: Organization; identity: Identity },
  curve: Curve | undefined,
): Promise<Wallet | Failure<'wallet_not_found' | 'invalid_curve'>> {
  const enabled = enabledCurves(organization)
  if (curve !== undefined && !enabled.has(curve)) return failure('invalid_curve')
  const newestFirst = await walletsStore.byOwner(sql, organization.id, identity.id)
  const usable = newestFirst.filter((wallet) => wallet.status === 'active' && enabled.has(wallet.curve))
  const of = (wanted: Curve) => usable.find((wallet) => wallet.curve === wanted)
  const found = curve === undefined ? (of('secp256k1') ?? usable[0]) : of(curve)
  return found ?? failure('wallet_not_found')
}

/** A wallet of the organization with its owner. */
export async function readWallet(
  sql: Queryable,
  organizationId: string,
  walletId: string,
): Promise<WalletAndOwner | Failure<'wallet_not_found'>> {
  return (await walletsStore.byId(sql, organizationId, walletId)) ?? failure('wallet_not_found')
}

/**
 * Archives or unarchives a wallet, with an event if that changed it. Once this returns, no process releases a signature under
 * the old status.
 */
export async function setWalletStatus(
  { sql, audit, enclave }: Pick<WalletsCtx, 'sql' | 'audit' | 'enclave'>,
  organizationId: string,
  actor: Actor,
  { walletId, status }: { walletId: string; status: Wallet['status'] },
): Promise<undefined | Failure<'wallet_not_found'>> {
  const refused = await sql.begin(async (tx) => {
    const changed = await walletsStore.setStatus(tx, organizationId, walletId, status)
    if (changed === undefined) return failure('wallet_not_found')
    if (!changed.isChanged) return undefined
    await audit.append(tx, {
      organizationId,
      type: status === 'archived' ? 'wallet.archived' : 'wallet.unarchived',
      userIdentityId: changed.userIdentityId,
      walletId,
      actorType: actor.type,
      actorId: actor.id,
      success: true,
    })
    return undefined
  })
  if (refused === undefined) await tellEnclaveNow({ sql, enclave })
  return refused
}
