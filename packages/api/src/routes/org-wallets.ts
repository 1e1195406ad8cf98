import * as z from 'zod'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'
import { WalletWithIdentity } from '../wallet.ts'
import { ListWallets, WalletPage } from '../wallet-list.ts'

const OrgParams = z.strictObject({ orgID: Id })
const WalletParams = z.strictObject({ orgID: Id, walletID: Id })

/** A page of the company's wallets, as its backend lists them. */
export const listOrganizationWallets = {
  id: 'orgWallets.list',
  method: 'GET',
  path: '/v1/orgs/{orgID}/wallets',
  lane: 'portal',
  role: 'viewer',
  summary: 'List wallets, newest first',
  params: OrgParams,
  query: ListWallets,
  status: 200,
  data: WalletPage,
  errors: [],
} as const satisfies Route

/** One wallet of the company. */
export const getOrganizationWallet = {
  id: 'orgWallets.get',
  method: 'GET',
  path: '/v1/orgs/{orgID}/wallets/{walletID}',
  lane: 'portal',
  role: 'viewer',
  summary: 'Read a wallet',
  params: WalletParams,
  status: 200,
  data: WalletWithIdentity,
  errors: ['wallet_not_found'],
} as const satisfies Route

/** Stops a wallet from signing. */
export const archiveOrganizationWallet = {
  id: 'orgWallets.archive',
  method: 'POST',
  path: '/v1/orgs/{orgID}/wallets/{walletID}/archive',
  lane: 'portal',
  role: 'admin',
  summary: 'Archive a wallet',
  description: 'Once this returns, nothing signs with the wallet. Archiving again returns 204.',
  params: WalletParams,
  status: 204,
  errors: ['wallet_not_found'],
} as const satisfies Route

/** Lets an archived wallet sign again. */
export const unarchiveOrganizationWallet = {
  id: 'orgWallets.unarchive',
  method: 'POST',
  path: '/v1/orgs/{orgID}/wallets/{walletID}/unarchive',
  lane: 'portal',
  role: 'admin',
  summary: 'Unarchive a wallet',
  params: WalletParams,
  status: 204,
  errors: ['wallet_not_found'],
} as const satisfies Route
