import * as z from 'zod'
import { CreateWalletFor, CreateWallets } from '../create-wallet.ts'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'
import { WalletWithIdentity } from '../wallet.ts'
import { BatchResults, ListWallets, WalletPage } from '../wallet-list.ts'

const WalletParams = z.strictObject({ walletID: Id })

/** A page of the organization's wallets. */
export const listWallets = {
  id: 'wallets.list',
  method: 'GET',
  path: '/v1/s2s/wallets',
  lane: 'secret',
  scope: 'read',
  limit: 's2s',
  summary: 'List wallets, newest first',
  query: ListWallets,
  status: 200,
  data: WalletPage,
  errors: [],
} as const satisfies Route

/** One wallet of the organization. */
export const getWallet = {
  id: 'wallets.get',
  method: 'GET',
  path: '/v1/s2s/wallets/{walletID}',
  lane: 'secret',
  scope: 'read',
  limit: 's2s',
  summary: 'Read a wallet',
  params: WalletParams,
  status: 200,
  data: WalletWithIdentity,
  errors: ['wallet_not_found'],
} as const satisfies Route

/** Creates a wallet for a user. */
export const createWalletFor = {
  id: 'wallets.createFor',
  method: 'POST',
  path: '/v1/s2s/wallets',
  lane: 'secret',
  scope: 'full',
  limit: 's2s',
  summary: 'Create a wallet for a user, even before the first login',
  description:
    'TEE mode only. A second call returns 409 with the existing wallet in `data`. With your own identity provider, name a user who has not logged in yet by `provider_user_id`; `email` only finds a user whose token had it as verified.',
  body: CreateWalletFor,
  status: 201,
  data: WalletWithIdentity,
  errors: ['wallet_exists', 'email_ambiguous', 'invalid_curve', 'signing_mode_mismatch'],
} as const satisfies Route

/** Creates many wallets. */
export const createWallets = {
  id: 'wallets.createBatch',
  method: 'POST',
  path: '/v1/s2s/wallets/batch',
  lane: 'secret',
  scope: 'full',
  limit: 's2s',
  summary: 'Create up to 100 wallets',
  description:
    'TEE mode only. Each item succeeds or fails on its own; a malformed item fails the whole batch. Under load, the last items may be 503 `unavailable`: nothing was done for them, so send them again as another batch.',
  body: CreateWallets,
  status: 200,
  data: BatchResults,
  errors: ['signing_mode_mismatch'],
} as const satisfies Route

/** Stops a wallet from signing. */
export const archiveWallet = {
  id: 'wallets.archive',
  method: 'POST',
  path: '/v1/s2s/wallets/{walletID}/archive',
  lane: 'secret',
  scope: 'full',
  limit: 's2s',
  summary: 'Archive a wallet',
  description: 'Once this returns, nothing signs with the wallet. Archiving again returns 204.',
  params: WalletParams,
  status: 204,
  errors: ['wallet_not_found'],
} as const satisfies Route

/** Lets an archived wallet sign again. */
export const unarchiveWallet = {
  id: 'wallets.unarchive',
  method: 'POST',
  path: '/v1/s2s/wallets/{walletID}/unarchive',
  lane: 'secret',
  scope: 'full',
  limit: 's2s',
  summary: 'Unarchive a wallet',
  params: WalletParams,
  status: 204,
  errors: ['wallet_not_found'],
} as const satisfies Route
