import * as z from 'zod'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'
import { CreateSmartAccount, SmartAccount, SmartAccounts } from '../smart-account.ts'

const WalletParams = z.strictObject({ walletID: Id })

const creation =
  "The address is the result of the factory's `getAddress(owner, 0)`. A wallet has one account per chain: repeating the call returns it."
const creationErrors = [
  'chain_unsupported',
  'invalid_curve',
  'wallet_not_found',
  'wallet_archived',
  'rpc_failed',
] as const

/** The smart accounts of the caller's wallet. */
export const listMySmartAccounts = {
  id: 'smartAccounts.listMine',
  method: 'GET',
  path: '/v1/wallets/me/smart-accounts',
  lane: 'wallet',
  summary: "Read the smart accounts of the user's wallet, on all chains",
  status: 200,
  data: SmartAccounts,
  errors: ['wallet_not_found'],
} as const satisfies Route

/** Provisions the smart account of the caller's wallet on a chain. */
export const createMySmartAccount = {
  id: 'smartAccounts.createMine',
  method: 'POST',
  path: '/v1/wallets/me/smart-accounts',
  lane: 'wallet',
  summary: "Provision a smart account for the user's wallet",
  description: creation,
  body: CreateSmartAccount,
  status: 201,
  data: SmartAccount,
  errors: creationErrors,
} as const satisfies Route

/** The smart accounts of a wallet of the organization. */
export const listSmartAccounts = {
  id: 'smartAccounts.list',
  method: 'GET',
  path: '/v1/s2s/wallets/{walletID}/smart-accounts',
  lane: 'secret',
  scope: 'read',
  limit: 's2s',
  summary: 'Read the smart accounts of a wallet, on all chains',
  params: WalletParams,
  status: 200,
  data: SmartAccounts,
  errors: ['wallet_not_found'],
} as const satisfies Route

/** Provisions the smart account of a wallet of the organization on a chain. */
export const createSmartAccountFor = {
  id: 'smartAccounts.createFor',
  method: 'POST',
  path: '/v1/s2s/wallets/{walletID}/smart-accounts',
  lane: 'secret',
  scope: 'full',
  limit: 's2s',
  summary: 'Provision a smart account for a wallet',
  description: creation,
  params: WalletParams,
  body: CreateSmartAccount,
  status: 201,
  data: SmartAccount,
  errors: creationErrors,
} as const satisfies Route
