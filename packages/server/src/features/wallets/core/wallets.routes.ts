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
import { isFailure, mapResult } from '../../../runtime/failure.ts'
import { needsMode } from '../../../runtime/needs-mode.ts'
import { createOwnWallet, createWalletFor, type WalletsCtx } from './create-wallet.ts'
import { walletListPage } from './wallet-list-page.ts'
import { walletToWire, walletWithIdentityToWire } from './wallet-to-wire.ts'
import { walletsStore } from './wallets.store.ts'
import { newestWallet, readWallet, setWalletStatus } from './wallets.ts'

// A batch shares the enclave with everyone else's signatures.
const batchInFlightMax = 8

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
    const items: ReturnType<typeof batchItem>[] = []
    // What is wrong with the service throws, and ends the whole batch.
    const create = async (item: (typeof body.items)[number]) =>
      batchItem(await createWalletFor(ctx, principal, item))
    for (let i = 0; i < body.items.length; i += batchInFlightMax) {
      items.push(...(await Promise.all(body.items.slice(i, i + batchInFlightMax).map(create))))
    }
    return { items }
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
function batchItem(outcome: Awaited<ReturnType<typeof createWalletFor>>) {
  if (!isFailure(outcome)) return { status: 201, data: walletWithIdentityToWire(outcome), error: null }
  const { status, code, message, details } = new ApiError(outcome.code, outcome)
  return {
    status,
    data: outcome.code === 'wallet_exists' ? (outcome.data as WalletWithIdentity) : null,
    error: { code, message, ...(details !== undefined && { details }) },
  }
}
