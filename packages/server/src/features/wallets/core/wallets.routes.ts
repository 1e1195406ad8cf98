import {
  ApiError,
  archiveWallet,
  createWalletFor as createForRoute,
  createWallet,
  createWallets,
  getMyWallet,
  getWallet,
  listMyWallets,
  listWallets,
  unarchiveWallet,
  type WalletWithIdentity,
} from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import { type Failure, failure, isFailure, mapResult } from '../../../runtime/failure.ts'
import { needsMode } from '../../../runtime/needs-mode.ts'
import { createOwnWallet, createWalletFor, type WalletsCtx } from './create-wallet.ts'
import { inGroups } from './in-groups.ts'
import { walletListPage } from './wallet-list-page.ts'
import { walletToWire, walletWithIdentityToWire } from './wallet-to-wire.ts'
import { walletsStore } from './wallets.store.ts'
import { newestWallet, readWallet, setWalletStatus } from './wallets.ts'

// A batch shares the enclave with everyone else's signatures. Under load, its last items are refused before its answer is late: an answer that
// says nothing of a wallet that was made is worse.
const batchLimits = { groupMax: 8, beginWithinMs: 2_500 }

/** The routes of wallets, for users and for backends. */
export const walletsRoutes = (ctx: WalletsCtx) => [
  on(createWallet, async ({ principal, body }) =>
    mapResult(await createOwnWallet(ctx, principal, body), walletToWire),
  ),

  on(getMyWallet, async ({ principal, query }) =>
    mapResult(await newestWallet(ctx.sql, principal, query.curve), walletToWire),
  ),

  on(listMyWallets, async ({ principal: { organization, identity } }) =>
    (await walletsStore.byOwner(ctx.sql, organization.id, identity.id)).map(walletToWire),
  ),

  on(listWallets, ({ principal, query }) => walletListPage(ctx.sql, principal.organization.id, query)),

  on(getWallet, async ({ principal, params }) =>
    mapResult(
      await readWallet(ctx.sql, principal.organization.id, params.walletID),
      walletWithIdentityToWire,
    ),
  ),

  on(createForRoute, async ({ principal, body }) =>
    mapResult(await createWalletFor(ctx, principal, body), walletWithIdentityToWire),
  ),

  on(createWallets, async ({ principal, body }) => {
    if (principal.organization.signingMode !== 'tee') return needsMode('tee')
    // What is wrong with the service throws, and ends the whole batch.
    const create = async (item: (typeof body.items)[number]) =>
      batchItem(await createWalletFor(ctx, principal, item))
    const items = await inGroups(body.items, create, batchLimits)
    return { items: items.map((item) => item ?? batchItem(failure('unavailable'))) }
  }),

  on(archiveWallet, ({ principal: { organization, key }, params }) =>
    setWalletStatus(ctx, organization.id, actorOf(key), { walletId: params.walletID, status: 'archived' }),
  ),

  on(unarchiveWallet, ({ principal: { organization, key }, params }) =>
    setWalletStatus(ctx, organization.id, actorOf(key), { walletId: params.walletID, status: 'active' }),
  ),
]

const actorOf = ({ id }: { id: string }) => ({ type: 'api_key' as const, id })

/** An item of a batch: the wallet, or what its own request would have answered. */
function batchItem(outcome: Awaited<ReturnType<typeof createWalletFor>> | Failure<'unavailable'>) {
  if (!isFailure(outcome)) return { status: 201, data: walletWithIdentityToWire(outcome), error: null }
  const { status, code, message, details } = new ApiError(outcome.code, outcome)
  return {
    status,
    data: outcome.code === 'wallet_exists' ? (outcome.data as WalletWithIdentity) : null,
    error: { code, message, ...(details !== undefined && { details }) },
  }
}
