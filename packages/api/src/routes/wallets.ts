import * as z from 'zod'
import { CreateWallet } from '../create-wallet.ts'
import { Curve } from '../formats.ts'
import type { Route } from '../route.ts'
import { Wallet } from '../wallet.ts'

/** The caller's newest active wallet. */
export const getMyWallet = {
  id: 'wallets.getMine',
  method: 'GET',
  path: '/v1/wallets/me',
  lane: 'wallet',
  summary: 'Read the newest active wallet',
  description:
    'With `curve`, the active wallet on that curve. Without it, the active secp256k1 wallet, or else the newest active one.',
  query: z.strictObject({ curve: Curve.optional() }),
  status: 200,
  data: Wallet,
  errors: ['wallet_not_found', 'invalid_curve'],
} as const satisfies Route

/** All wallets of the caller. */
export const listMyWallets = {
  id: 'wallets.listMine',
  method: 'GET',
  path: '/v1/wallets/me/all',
  lane: 'wallet',
  summary: 'Read all wallets, archived ones included',
  status: 200,
  data: z.array(Wallet).meta({ id: 'Wallets' }),
  errors: [],
} as const satisfies Route

/** Creates the caller's wallet of a curve. */
export const createWallet = {
  id: 'wallets.create',
  method: 'POST',
  path: '/v1/wallets',
  lane: 'wallet',
  summary: 'Create a wallet',
  description:
    'One wallet per organization, user and curve: a second call returns 409 with the existing wallet in `data`. In client mode, this returns only once the recovery share is stored.',
  body: CreateWallet,
  status: 201,
  data: Wallet,
  errors: [
    'wallet_exists',
    'signing_mode_mismatch',
    'invalid_curve',
    'address_mismatch',
    'invalid_share',
    'recovery_webhook_failed',
  ],
  // The customer's webhook has 15 s.
  answerLimitMs: 20_000,
} as const satisfies Route
