import * as z from 'zod'
import { Base64, Curve, Id } from '../formats.ts'
import { RefreshShares } from '../refresh-shares.ts'
import type { Route } from '../route.ts'
import { Wallet } from '../wallet.ts'

/** Hands the provider share to the browser that is about to sign. */
export const getProviderShare = {
  id: 'shares.getProvider',
  method: 'POST',
  path: '/v1/wallets/me/shares/provider',
  lane: 'wallet',
  limit: 'provider-share',
  summary: 'Read the provider share',
  description:
    'Client mode only. Each release is in the audit log before the share leaves: as `provider_share.released`, or as `wallet.exported` if `purpose` says that the key will be shown. `export_enabled: false` refuses the latter.',
  query: z.strictObject({
    curve: Curve.default('secp256k1'),
    purpose: z.enum(['sign', 'export', 'refresh']).default('sign'),
  }),
  status: 200,
  data: z
    .strictObject({ wallet_id: Id, provider_share: Base64, share_index: z.int().min(1).max(255) })
    .meta({ id: 'ProviderShare' }),
  errors: [
    'signing_mode_mismatch',
    'export_disabled',
    'invalid_curve',
    'wallet_not_found',
    'wallet_archived',
  ],
  bearsCredential: true,
} as const satisfies Route

/** Puts the shares of a fresh polynomial into force, proven by the wallet's own key. */
export const refreshShares = {
  id: 'shares.refresh',
  method: 'POST',
  path: '/v1/wallets/me/shares/refresh',
  lane: 'wallet',
  limit: 'share-refresh',
  summary: 'Replace the shares of a wallet',
  description:
    'Client mode only. Makes every older share worthless and ends an open recovery of the wallet. `signature` covers wallet, version and shares, and proves that you rebuilt the key. Switches the shares atomically: the old ones stay in force until this returns. 409 `process_state` means that `polynomial_version` is outdated: read the wallet again, since an answer may have been lost. The version can rise by more than one.',
  body: RefreshShares,
  status: 200,
  data: Wallet,
  errors: [
    'signing_mode_mismatch',
    'invalid_curve',
    'invalid_share',
    'invalid_signature',
    'wallet_not_found',
    'wallet_archived',
    'process_state',
    'recovery_webhook_failed',
  ],
  // The webhook's 15 s, after those of an attempt that was under way.
  answerLimitMs: 45_000,
} as const satisfies Route
