import {
  createMySmartAccount,
  createSmartAccountFor,
  listMySmartAccounts,
  listSmartAccounts,
} from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { SmartAccounts } from './smart-accounts.ts'

/** The routes of smart accounts, for users and for backends. */
export const smartAccountsRoutes = (accounts: SmartAccounts) => [
  on(listMySmartAccounts, ({ principal, fail }) => accounts.listMine(principal, fail)),

  on(createMySmartAccount, ({ principal, body, fail }) => accounts.createMine(principal, body.chain, fail)),

  on(listSmartAccounts, ({ principal, params, fail }) => accounts.listFor(principal, params.walletID, fail)),

  on(createSmartAccountFor, ({ principal, params, body, fail }) =>
    accounts.createFor(principal, params.walletID, body.chain, fail),
  ),
]
