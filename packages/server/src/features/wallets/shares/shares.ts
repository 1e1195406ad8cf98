import type { Fail } from '@symbolon/api'
import { wipe } from '@symbolon/crypto'
import type { Curve } from '@symbolon/networks'
import type { Sql } from '../../../db/pool.ts'
import type { Identity, Organization, UserToken } from '../../../http/principal.ts'
import type { Audit, AuditEvent } from '../../audit/index.ts'
import type { ShareEnvelopes } from './share-envelopes.ts'
import { walletSharesStore } from './wallet-shares.store.ts'

type ReleaseErrors =
  | 'signing_mode_mismatch'
  | 'invalid_curve'
  | 'wallet_not_found'
  | 'wallet_archived'
  | 'token_revoked'
  | 'token_expired'

/** What the share is asked for: a key that is to be shown counts as exported. */
export type SharePurpose = 'sign' | 'export' | 'refresh'

/** What a browser gets to rebuild the key with, beside its own share. */
export type ReleasedShare = { wallet_id: string; provider_share: string; share_index: number }

/** The provider shares of client wallets, as their owners ask for them. */
export function shares({
  sql,
  audit,
  provider,
  enabledCurves,
}: {
  sql: Sql
  audit: Audit
  provider: ShareEnvelopes
  enabledCurves: (organization: Organization) => ReadonlySet<Curve>
}) {
  return {
    /** Hands the provider share to its owner, once the event is in the log and wallet and login still stand. */
    async release(
      principal: { organization: Organization; identity: Identity; token: UserToken },
      { curve, purpose }: { curve: Curve; purpose: SharePurpose },
      fail: Fail<ReleaseErrors>,
    ): Promise<ReleasedShare> {
      const { organization, identity, token } = principal
      if (organization.signingMode !== 'client') throw fail('signing_mode_mismatch')
      if (!enabledCurves(organization).has(curve)) throw fail('invalid_curve')
      const wallet = await walletSharesStore.ofUser(sql, organization.id, identity.id, curve)
      if (wallet === undefined) throw fail('wallet_not_found')

      const event: AuditEvent = {
        organizationId: organization.id,
        type: purpose === 'export' ? 'wallet.exported' : 'provider_share.released',
        userIdentityId: identity.id,
        walletId: wallet.walletId,
        actorType: 'end_user',
        actorId: identity.id,
        payload: { curve, polynomial_version: wallet.polynomialVersion, purpose },
        success: true,
      }
      if (wallet.status === 'archived') {
        await audit.write({ ...event, success: false, errorCode: 'wallet_archived' })
        throw fail('wallet_archived')
      }
      const share = await provider.open(
        { ...wallet, shareIndex: wallet.providerIndex },
        wallet.providerEnvelope,
      )
      try {
        const broken = await audit.release(event, { walletId: wallet.walletId, token })
        if (broken !== undefined)
          throw fail(broken === 'not_found' ? 'wallet_not_found' : (broken as ReleaseErrors))
        return {
          wallet_id: wallet.walletId,
          provider_share: Buffer.from(share).toString('base64'),
          share_index: wallet.providerIndex,
        }
      } finally {
        wipe(share)
      }
    },
  }
}

export type Shares = ReturnType<typeof shares>
