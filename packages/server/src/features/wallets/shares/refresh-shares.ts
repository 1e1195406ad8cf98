import { shareRefreshStatement, wipe } from '@symbolon/crypto'
import type { Curve } from '@symbolon/networks'
import type { UserPrincipal } from '../../../http/principal.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { needsMode } from '../../../runtime/needs-mode.ts'
import type { AuditEvent } from '../../audit/index.ts'
import { enabledCurves } from '../core/enabled-curves.ts'
import type { Wallet } from '../core/wallet.ts'
import { walletsStore } from '../core/wallets.store.ts'
import { recoveryStore } from '../recovery/recovery.store.ts'
import { isRefreshProof } from './refresh-proof.ts'
import { type GivenShares, readSharePair, type SharePair } from './share-pair.ts'
import { type SharesCtx, type SwitchFailure, switchShares } from './share-switch.ts'
import { shareVersionsStore } from './share-versions.store.ts'
import { type ClientWallet, walletSharesStore } from './wallet-shares.store.ts'

/** What a browser sends: the version it replaces, the new shares, and the key's signature (64 bytes) over all of it. */
type GivenRefresh = GivenShares & {
  curve: Curve
  polynomialVersion: number
  signature: Uint8Array
}

type RefreshFailure = SwitchFailure | Failure<'invalid_signature' | 'process_state'>

/**
 * Replaces the shares of a wallet by those of a fresh polynomial, for a user who proves that they have rebuilt the key. Ends an
 * open recovery of the wallet.
 */
export async function refreshShares(
  ctx: SharesCtx,
  principal: UserPrincipal,
  given: GivenRefresh,
): Promise<Wallet | RefreshFailure | Failure<'signing_mode_mismatch' | 'invalid_curve' | 'invalid_share'>> {
  const { organization, identity } = principal
  if (organization.signingMode !== 'client') return needsMode('client')
  if (!enabledCurves(organization).has(given.curve)) return failure('invalid_curve')
  const pair = readSharePair(given)
  if (isFailure(pair)) return pair
  try {
    const wallet = await walletSharesStore.ofUser(ctx.sql, organization.id, identity.id, given.curve)
    if (wallet === undefined) return failure('wallet_not_found')
    const outcome = await refresh(ctx, principal, given, { wallet, pair })
    if (isFailure(outcome) && outcome.code !== 'unavailable') {
      const event = eventOf(wallet, { polynomial_version: given.polynomialVersion })
      await ctx.audit.write({ ...event, success: false, errorCode: outcome.code })
    }
    return outcome
  } finally {
    wipe(pair.provider, pair.recovery)
  }
}

async function refresh(
  ctx: SharesCtx,
  { organization, identity, token }: UserPrincipal,
  given: GivenRefresh,
  { wallet, pair }: { wallet: ClientWallet; pair: SharePair },
): Promise<Wallet | RefreshFailure> {
  const { walletId } = wallet
  const fromVersion = given.polynomialVersion
  if (wallet.status === 'archived') return failure('wallet_archived')
  if (!isProven(wallet, given, pair)) return failure('invalid_signature')
  return switchShares(ctx, {
    organizationId: organization.id,
    identityId: identity.id,
    curve: given.curve,
    walletId,
    fromVersion,
    token,
    pair,
    claim: (claim) => shareVersionsStore.claimRefresh(ctx.sql, { ...claim, walletId, fromVersion }),
    unclaim: (attemptId) => shareVersionsStore.unclaimRefresh(ctx.sql, { walletId, attemptId }),
    async consume(tx, attemptId) {
      // Before the wallet's row, as a recovery locks them.
      await recoveryStore.endAll(tx, { walletId, device: null, endsDelayed: true })
      return shareVersionsStore.unclaimRefresh(tx, { walletId, attemptId })
    },
    async finish(tx) {
      const found = await walletsStore.byId(tx, organization.id, walletId)
      if (found === undefined) throw new Error('The refreshed wallet is missing.')
      return found.wallet
    },
    refusal: async () =>
      failure('process_state', {
        message: 'The shares have changed since. Read the wallet again.',
      }),
    event: (version) => eventOf(wallet, { polynomial_version: version }),
  })
}

function isProven(wallet: ClientWallet, given: GivenRefresh, pair: SharePair): boolean {
  const statement = shareRefreshStatement({
    walletId: wallet.walletId,
    polynomialVersion: given.polynomialVersion,
    newProviderShare: pair.provider,
    newProviderShareIndex: pair.providerIndex,
    newRecoveryShare: pair.recovery,
    newRecoveryShareIndex: pair.recoveryIndex,
  })
  try {
    return isRefreshProof(wallet.curve, wallet.publicKey, statement, given.signature)
  } finally {
    wipe(statement)
  }
}

const eventOf = (wallet: ClientWallet, payload: Record<string, unknown>): AuditEvent => ({
  organizationId: wallet.organizationId,
  type: 'wallet.shares_refreshed',
  userIdentityId: wallet.userIdentityId,
  walletId: wallet.walletId,
  actorType: 'end_user',
  actorId: wallet.userIdentityId,
  payload,
  success: true,
})
