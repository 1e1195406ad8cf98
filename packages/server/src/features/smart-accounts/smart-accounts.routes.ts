import {
  createMySmartAccount,
  createSmartAccountFor,
  listMySmartAccounts,
  listSmartAccounts,
} from '@symbolon/api'
import { on } from '../../http/handler.ts'
import {
  createAccountForKey,
  createAccountForUser,
  listAccountsForKey,
  listAccountsOfUser,
  type SmartAccountsCtx,
} from './smart-accounts.ts'

/** The routes of smart accounts, for users and for backends. */
export const smartAccountsRoutes = (ctx: SmartAccountsCtx) => [
  on(listMySmartAccounts, ({ principal }) => listAccountsOfUser(ctx, principal)),
  on(createMySmartAccount, ({ principal, body }) => createAccountForUser(ctx, principal, body.chain)),
  on(listSmartAccounts, ({ principal, params }) => listAccountsForKey(ctx, principal, params.walletID)),
  on(createSmartAccountFor, ({ principal, params, body }) =>
    createAccountForKey(ctx, principal, { walletId: params.walletID, chain: body.chain }),
  ),
]
