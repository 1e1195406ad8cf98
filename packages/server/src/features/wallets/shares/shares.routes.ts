import { getProviderShare, refreshShares as refreshRoute } from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import { mapResult } from '../../../runtime/failure.ts'
import { walletToWire } from '../core/wallet-to-wire.ts'
import { refreshShares } from './refresh-shares.ts'
import type { SharesCtx } from './share-switch.ts'
import { releaseShare } from './shares.ts'

/** The routes of the shares of client wallets. */
export const sharesRoutes = (ctx: SharesCtx) => [
  on(getProviderShare, ({ principal, query }) => releaseShare(ctx, principal, query)),

  on(refreshRoute, async ({ principal, body }) =>
    mapResult(
      await refreshShares(ctx, principal, {
        curve: body.curve ?? 'secp256k1',
        polynomialVersion: body.polynomial_version,
        provider: body.new_provider_share,
        providerIndex: body.new_provider_share_index,
        recovery: body.new_recovery_share,
        recoveryIndex: body.new_recovery_share_index,
        signature: Uint8Array.from(Buffer.from(body.signature.slice(2), 'hex')),
      }),
      walletToWire,
    ),
  ),
]
