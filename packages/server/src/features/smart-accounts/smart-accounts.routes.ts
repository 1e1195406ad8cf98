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
  on(listMySmartAccounts, ({ caller, fail }) => accounts.listMine(caller, fail)),

  on(createMySmartAccount, ({ caller, body, fail }) => accounts.createMine(caller, body.chain, fail)),

  on(listSmartAccounts, ({ caller, params, fail }) => accounts.listFor(caller, params.walletID, fail)),

  on(createSmartAccountFor, ({ caller, params, body, fail }) =>
    accounts.createFor(caller, params.walletID, body.chain, fail),
  ),
]
