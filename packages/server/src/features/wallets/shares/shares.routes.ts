import { getProviderShare, refreshShares } from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import type { ShareRefresh } from './refresh-shares.ts'
import type { Shares } from './shares.ts'

/** The routes of the shares of client wallets. */
export const sharesRoutes = (shares: Shares, refresh: ShareRefresh) => [
  on(getProviderShare, ({ principal, query, fail }) => shares.release(principal, query, fail)),

  on(refreshShares, ({ principal, body, fail }) =>
    refresh(
      principal,
      {
        curve: body.curve ?? 'secp256k1',
        polynomialVersion: body.polynomial_version,
        provider: body.new_provider_share,
        providerIndex: body.new_provider_share_index,
        recovery: body.new_recovery_share,
        recoveryIndex: body.new_recovery_share_index,
        signature: Uint8Array.from(Buffer.from(body.signature.slice(2), 'hex')),
      },
      fail,
    ),
  ),
]
