import * as z from 'zod'
import { Base64, Curve, Id } from '../formats.ts'
import type { Route } from '../route.ts'

/** Hands the provider share to the browser that is about to sign. */
export const getProviderShare = {
  id: 'shares.getProvider',
  method: 'POST',
  path: '/v1/wallets/me/shares/provider',
  lane: 'wallet',
  limit: 'provider-share',
  summary: 'Get the provider share',
  description: 'Client mode only. Every release is in the audit log before the share leaves.',
  query: z.strictObject({ curve: Curve.default('secp256k1') }),
  status: 200,
  data: z
    .strictObject({ wallet_id: Id, provider_share: Base64, share_index: z.int().min(1).max(255) })
    .meta({ id: 'ProviderShare' }),
  errors: ['signing_mode_mismatch', 'invalid_curve', 'wallet_not_found', 'wallet_archived'],
  bearsCredential: true,
} as const satisfies Route
