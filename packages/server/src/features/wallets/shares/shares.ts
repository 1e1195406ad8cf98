import { wipe } from '@symbolon/crypto'
import type { Curve } from '@symbolon/networks'
import type { Sql } from '../../../db/pool.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import type { Kms } from '../../../ports/kms.ts'
import { type Failure, failure } from '../../../runtime/failure.ts'
import { needsMode } from '../../../runtime/needs-mode.ts'
import type { Audit, AuditEvent } from '../../audit/index.ts'
import { enabledCurves } from '../core/enabled-curves.ts'
import { type GuardFailure, guardFailure } from '../core/guard-failure.ts'
import { isExportEnabled } from '../delay/export-enabled.ts'
import { openShare } from './share-envelopes.ts'
import { walletSharesStore } from './wallet-shares.store.ts'

/** What the share is for: to show the key counts as an export. */
type SharePurpose = 'sign' | 'export' | 'refresh'

/** What a browser rebuilds the key with, beside its own share. */
type ReleasedShare = { wallet_id: string; provider_share: string; share_index: number }

/** Releases the provider share to its owner, once the event is durable and while wallet and login stand. */
export async function releaseShare(
  { sql, audit, kms }: { sql: Sql; audit: Audit; kms: Kms },
  { organization, identity, token }: UserPrincipal,
  { curve, purpose }: { curve: Curve; purpose: SharePurpose },
): Promise<
  ReleasedShare | Failure<'signing_mode_mismatch' | 'invalid_curve' | 'export_disabled'> | GuardFailure
> {
  if (organization.signingMode !== 'client') return needsMode('client')
  if (!enabledCurves(organization).has(curve)) return failure('invalid_curve')
  if (purpose === 'export' && !(await isExportEnabled(sql, organization.id)))
    return failure('export_disabled')
  const wallet = await walletSharesStore.ofUser(sql, organization.id, identity.id, curve)
  if (wallet === undefined) return failure('wallet_not_found')

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
    return failure('wallet_archived')
  }
  const position = { ...wallet, shareIndex: wallet.providerIndex }
  const share = await openShare(kms, 'provider', position, wallet.providerEnvelope)
  try {
    const broken = await audit.release(event, { walletId: wallet.walletId, token })
    if (broken !== undefined) return guardFailure(broken)
    return {
      wallet_id: wallet.walletId,
      provider_share: Buffer.from(share).toString('base64'),
      share_index: wallet.providerIndex,
    }
  } finally {
    wipe(share)
  }
}
