import {
  archiveOrganizationWallet,
  getOrganizationWallet,
  listOrganizationWallets,
  unarchiveOrganizationWallet,
} from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import { mapResult } from '../../../runtime/failure.ts'
import type { WalletsCtx } from './create-wallet.ts'
import { walletListPage } from './wallet-list-page.ts'
import { walletWithIdentityToWire } from './wallet-to-wire.ts'
import { readWallet, setWalletStatus } from './wallets.ts'

/** The wallets of an organization, as its members read and archive them. The audit log names the member. */
export const orgWalletsRoutes = (ctx: Pick<WalletsCtx, 'sql' | 'audit' | 'enclave'>) => [
  on(listOrganizationWallets, ({ principal, query }) =>
    walletListPage(ctx.sql, principal.organization.id, query),
  ),
  on(getOrganizationWallet, async ({ principal, params }) =>
    mapResult(
      await readWallet(ctx.sql, principal.organization.id, params.walletID),
      walletWithIdentityToWire,
    ),
  ),
  on(archiveOrganizationWallet, ({ principal: { organization, user }, params }) =>
    setWalletStatus(ctx, organization.id, actorOf(user), { walletId: params.walletID, status: 'archived' }),
  ),
  on(unarchiveOrganizationWallet, ({ principal: { organization, user }, params }) =>
    setWalletStatus(ctx, organization.id, actorOf(user), { walletId: params.walletID, status: 'active' }),
  ),
]

const actorOf = ({ id }: { id: string }) => ({ type: 'portal_user' as const, id })
