import {
  archiveOrganizationWallet,
  getOrganizationWallet,
  listOrganizationWallets,
  unarchiveOrganizationWallet,
} from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import type { MemberPrincipal } from '../../../http/principal.ts'
import { walletListQuery } from './wallet-list-query.ts'
import type { Wallets } from './wallets.ts'

/** The wallets of a company, as its members see and archive them: what its backend can do, with their names in the log. */
export function orgWalletsRoutes(wallets: Wallets) {
  const actorOf = ({ user }: MemberPrincipal) => ({ type: 'portal_user' as const, id: user.id })
  return [
    on(listOrganizationWallets, ({ principal, query }) =>
      wallets.list(walletListQuery(principal.organization.id, query)),
    ),
    on(getOrganizationWallet, ({ principal, params, fail }) =>
      wallets.read(principal.organization.id, params.walletID, fail),
    ),
    on(archiveOrganizationWallet, ({ principal, params, fail }) =>
      wallets.setStatus(principal.organization.id, actorOf(principal), params.walletID, 'archived', fail),
    ),
    on(unarchiveOrganizationWallet, ({ principal, params, fail }) =>
      wallets.setStatus(principal.organization.id, actorOf(principal), params.walletID, 'active', fail),
    ),
  ]
}
