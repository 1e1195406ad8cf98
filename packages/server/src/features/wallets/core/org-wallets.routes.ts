import {
  archiveOrganizationWallet,
  getOrganizationWallet,
  listOrganizationWallets,
  unarchiveOrganizationWallet,
} from '@symbolon/api'
import type { MemberCaller } from '../../../http/caller.ts'
import { on } from '../../../http/handler.ts'
import { walletListQuery } from './wallet-list-query.ts'
import type { Wallets } from './wallets.ts'

/** The wallets of a company, as its members see and archive them: what its backend can do, with their names in the log. */
export function orgWalletsRoutes(wallets: Wallets) {
  const actorOf = ({ user }: MemberCaller) => ({ type: 'portal_user' as const, id: user.id })
  return [
    on(listOrganizationWallets, ({ caller, query }) =>
      wallets.list(walletListQuery(caller.organization.id, query)),
    ),
    on(getOrganizationWallet, ({ caller, params, fail }) =>
      wallets.read(caller.organization.id, params.walletID, fail),
    ),
    on(archiveOrganizationWallet, ({ caller, params, fail }) =>
      wallets.setStatus(caller.organization.id, actorOf(caller), params.walletID, 'archived', fail),
    ),
    on(unarchiveOrganizationWallet, ({ caller, params, fail }) =>
      wallets.setStatus(caller.organization.id, actorOf(caller), params.walletID, 'active', fail),
    ),
  ]
}
